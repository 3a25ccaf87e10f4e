/**
 * Where a database is: `embedded` when this app runs the server itself, `server` when it was given one.
 * The URL is libpq's; a socket's folder stands percent-encoded in the place of the host.
 */
export type Connection = { kind: 'embedded' | 'server'; url: string }

/** The same server and user, another database. */
export function toDatabase(connection: Connection, database: string): Connection {
  const url = new URL(connection.url)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, url: url.href }
}

/** The same database, every session beginning with these settings. Settings of the URL's own stay. */
export function withSettings(
  connection: Connection,
  settings: Record<string, string | number>,
): Connection {
  const url = new URL(connection.url)
  const options = Object.entries(settings).map(
    // A blank or backslash would end the value: https://www.postgresql.org/docs/18/libpq-connect.html
    ([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  )
  const given = url.searchParams.get('options')
  url.searchParams.set('options', [...(given ? [given] : []), ...options].join(' '))
  return { ...connection, url: url.href }
}

/** The URL as it may be shown and logged: without the password. */
export function withoutPassword(connection: Connection): string {
  const url = new URL(connection.url)
  if (url.password) url.password = '…'
  if (url.searchParams.has('password')) url.searchParams.set('password', '…')
  return decodeURIComponent(url.href)
}
