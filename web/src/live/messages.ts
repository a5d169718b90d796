// The server's messages about a run, by short names. The types are generated from its API description.

import type { components } from '../api/schema';

type Schemas = components['schemas'];

export type RunView = Schemas['RunView'];
export type AnchoredView = Schemas['AnchoredView'];
export type StageView = Schemas['StageView'];
export type EloView = Schemas['EloView'];
export type IterationRow = Schemas['IterationRow'];
export type IterationPage = Schemas['IterationPage'];
export type CoachView = Schemas['CoachView'];
export type CoachReport = Schemas['CoachReport'];
export type Weakness = Schemas['WeaknessView'];
export type RunNote = Schemas['RunNote'];
export type ReplayGame = Schemas['ReplayGame'];
export type LiveGame = Schemas['LiveGame'];
export type GameEntry = Schemas['GameEntry'];
export type GameList = Schemas['GameList'];
export type RunSnapshot = Schemas['RunSnapshot'];
export type RunStreamMessage = Schemas['RunStreamMessage'];
export type ServerInfo = Schemas['ServerInfo'];
