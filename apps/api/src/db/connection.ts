/**
 * A database: `embedded` if this app runs the server itself, otherwise `server`. The URL is in libpq's format;
 * for a socket, the host is its percent-encoded folder.
 */
export type Connection = { kind: 'embedded' | 'server'; url: string }

/** The same server and user with another database. */
export function toDatabase(connection: Connection, database: string): Connection {
  const url = new URL(connection.url)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, url: url.href }
}

/** The same database with settings for every session. Settings in the URL are kept. */
export function withSettings(
  connection: Connection,
  settings: Record<string, string | number>,
): Connection {
  const url = new URL(connection.url)
  const options = Object.entries(settings).map(
    // Blanks and backslashes need escaping: https://www.postgresql.org/docs/18/libpq-connect.html
    ([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  )
  const given = url.searchParams.get('options')
  url.searchParams.set('options', [...(given ? [given] : []), ...options].join(' '))
  return { ...connection, url: url.href }
}

/** The URL without the password, safe to show and log. */
export function withoutPassword(connection: Connection): string {
  const url = new URL(connection.url)
  if (url.password) url.password = '…'
  if (url.searchParams.has('password')) url.searchParams.set('password', '…')
  return decodeURIComponent(url.href)
}
