// The building blocks that every page uses. No state of their own beyond what a browser keeps for them.

import type { ComponentChildren, TargetedEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { EngineProblem } from '../engine/types';
import { Icon, type IconName } from './Icon';
import { capital } from './text';

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  /** Read aloud, and shown as a tip, where there is no text. */
  label?: string;
  kind?: 'primary' | 'quiet' | 'plain';
  pressed?: boolean;
  /** Of a button that shows and hides something. */
  expanded?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

export function Button({
  children,
  icon,
  label,
  kind = 'plain',
  pressed,
  expanded,
  disabled = false,
  onClick,
}: ButtonProps) {
  const classes = ['button', kind, children === undefined ? 'icon' : ''].join(' ');
  return (
    <button
      type="button"
      class={classes}
      disabled={disabled}
      onClick={onClick}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface PanelProps {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

export function Panel({ title, aside, children, class: extra = '' }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${extra}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export interface Option<T extends string> {
  value: T;
  label: string;
}

interface ChoiceProps<T extends string> {
  legend: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  hideLegend?: boolean;
}

export function Segments<T extends string>({ legend, options, value, onChange, hideLegend = false }: ChoiceProps<T>) {
  const name = useId();
  return (
    <div class="field" role="radiogroup" aria-label={legend}>
      {!hideLegend && <span aria-hidden="true">{legend}</span>}
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </div>
  );
}

export function Select<T extends string>({ legend, options, value, onChange, hideLegend = false }: ChoiceProps<T>) {
  const id = useId();
  const choose = (event: TargetedEvent<HTMLSelectElement>): void => {
    const chosen = options[event.currentTarget.selectedIndex];
    if (chosen !== undefined) onChange(chosen.value);
  };
  return (
    <div class="field">
      <label for={id} class={hideLegend ? 'visually-hidden' : ''}>
        {legend}
      </label>
      <select id={id} class="input" onChange={choose}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface NoticeProps {
  kind?: 'info' | 'bad' | 'good' | 'warn';
  children: ComponentChildren;
  action?: ComponentChildren;
}

const NOTICE_ICONS = { info: 'info', bad: 'warning', good: 'check', warn: 'warning' } as const;

export function Notice({ kind = 'info', children, action }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={NOTICE_ICONS[kind]} />
      <div>{children}</div>
      {action}
    </div>
  );
}

export function ProblemNotice({
  problem,
  onRetry,
}: {
  problem: Pick<EngineProblem, 'message' | 'hint'>;
  onRetry?: () => void;
}) {
  return (
    <Notice kind="bad" action={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      <p>{capital(problem.message)}</p>
      {problem.hint !== '' && <p>{problem.hint}</p>}
    </Notice>
  );
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface MeterProps {
  share: number;
  label: string;
  /** Something that goes on, or something that was measured. */
  kind?: 'progressbar' | 'meter';
}

export function Meter({ share, label, kind = 'progressbar' }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div class="meter" role={kind} aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
