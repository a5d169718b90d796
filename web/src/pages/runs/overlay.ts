// Curves with different x over each other, and what differs between settings. Pure.

export interface Curve {
  x: readonly number[];
  values: readonly (number | null)[];
}

/** One x for all: every place where any curve has a value; gaps elsewhere. */
export function overlaid(curves: readonly Curve[]): { x: number[]; columns: (number | null)[][] } {
  const x = [...new Set(curves.flatMap((curve) => curve.x.filter((_, index) => curve.values[index] !== null)))].sort(
    (left, right) => left - right,
  );
  const columns = curves.map((curve) => {
    const known = new Map(curve.x.map((place, index) => [place, curve.values[index] ?? null]));
    return x.map((place) => known.get(place) ?? null);
  });
  return { x, columns };
}

type Settings = { readonly [name: string]: string };

export function settingsOf(settings: readonly Settings[]): string[] {
  return [...new Set(settings.flatMap((each) => Object.keys(each)))].sort();
}

/** Names by the table of milton.toml that they stand in: all at once would be a scroll of thousands of pixels. */
export function tablesOf(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, string[]>();
  for (const name of names) {
    const [table = ''] = name.split('.', 1);
    tables.set(table, [...(tables.get(table) ?? []), name]);
  }
  return tables;
}

export function settingsThatDiffer(settings: readonly Settings[]): string[] {
  return settingsOf(settings).filter((name) => new Set(settings.map((each) => each[name])).size > 1);
}
