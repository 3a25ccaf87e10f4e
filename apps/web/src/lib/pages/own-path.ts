/**
 * The path to return to after signing in, or null if `value` is not a path of this site. Browsers treat `//host` and
 * `/\host` as other sites, and drop control characters, so `/\t/host` would become another site too.
 */
export const ownPath = (value: unknown): string | null =>
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  typeof value === 'string' && /^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(value) ? value : null
