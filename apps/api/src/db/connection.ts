/**
 * A database: `embedded` if this app runs the server itself, otherwise `server`. The URLs are in libpq's format;
 * for a socket, the host is its percent-encoded folder.
 */
export type Connection = {
  kind: 'embedded' | 'server'
  /** Of the user who owns the schema. */
  url: string
  /** With which the app's own sessions sign in. Without it, they sign in as the owner and give up their rights. */
  appUrl?: string
}

/** The same server and users with another database. */
export const toDatabase = (connection: Connection, database: string): Connection =>
  mapped(connection, (url) => {
    url.pathname = `/${encodeURIComponent(database)}`
  })

/** The same users and database on another machine. */
export const toMachine = (connection: Connection, host: string, port: number): Connection =>
  mapped(connection, (url) => {
    // A parameter would outweigh the name.
    for (const name of ['host', 'port']) url.searchParams.delete(name)
    url.host = host.includes(':') ? `[${host}]` : host
    url.port = String(port)
  })

/** The same database with settings for every session. Settings in the URL are kept. */
export function withSettings(
  connection: Connection,
  settings: Record<string, string | number>,
): Connection {
  const options = Object.entries(settings).map(
    // Blanks and backslashes need escaping: https://www.postgresql.org/docs/18/libpq-connect.html
    ([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  )
  return mapped(connection, (url) => {
    const given = url.searchParams.get('options')
    url.searchParams.set('options', [...(given ? [given] : []), ...options].join(' '))
  })
}

/** The role that the app uses. It owns nothing and cannot change events. The migrations create it. */
export const appRole = 'tallyroom_app'

/** The same database for the app's own sessions. They have the rights of {@link appRole}, whoever signs in. */
export const asApp = ({ kind, url, appUrl = url }: Connection): Connection =>
  withSettings({ kind, url: appUrl }, { role: appRole })

/** The URL without the password, safe to show and log. */
export function withoutPassword(connection: Connection): string {
  const url = new URL(connection.url)
  if (url.password) url.password = '…'
  if (url.searchParams.has('password')) url.searchParams.set('password', '…')
  return decodeURIComponent(url.href)
}

function mapped(connection: Connection, change: (url: URL) => void): Connection {
  const changed = (text: string) => {
    const url = new URL(text)
    change(url)
    return url.href
  }
  const { url, appUrl } = connection
  return { ...connection, url: changed(url), ...(appUrl && { appUrl: changed(appUrl) }) }
}
