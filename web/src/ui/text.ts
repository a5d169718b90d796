// Words as a page writes them.

/** With a large first letter, unless the word is a name such as iter_0012. */
export function capital(text: string): string {
  return /^\w*[_\d]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
