// Addresses of the server's run API: of the run that is served, or of another one by its name.

/** `path` below api/run, such as "/coach". */
export function runAddress(
  name: string | null,
  path: string,
  options: { readonly [key: string]: string } = {},
): string {
  const query = new URLSearchParams({ ...options, ...(name === null ? {} : { run: name }) }).toString();
  return `api/run${path}${query === '' ? '' : `?${query}`}`;
}
