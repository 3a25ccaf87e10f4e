/**
 * The path to return to after signing in, or null when `value` is not a path of this site.
 * `//host` and `/\host` are other sites to a browser, and control characters are dropped by it,
 * so that `/\t/host` would become one.
 */
export const ownPath = (value: unknown): string | null =>
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  typeof value === 'string' && /^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(value) ? value : null
