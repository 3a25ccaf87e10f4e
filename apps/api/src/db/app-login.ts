import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import type { Log } from '../lib/log/log.ts'
import { appRole, type Connection } from './connection.ts'
import { type Db, openDatabase } from './database.ts'

/**
 * Chooses how the app's sessions sign in, once the schema stands. On the embedded engine they get a login of their own. On a
 * server, it is that of APP_DATABASE_URL; without one, they sign in as the owner and take the app's role, which `reset role`
 * undoes.
 *
 * @throws ConfigError if APP_DATABASE_URL leads elsewhere, or signs in somebody who can become more than the app's role
 */
export async function provideAppLogin(
  connection: Connection,
  owner: Db,
  log: Log,
): Promise<Connection> {
  if (connection.kind === 'server') {
    if (connection.appUrl !== undefined) await expectAppLogin(connection, owner)
    else log.warn(AS_OWNER)
    return connection
  }
  const own = await openAppLogin(connection, owner)
  try {
    await expectAppLogin(own, owner)
    return own
  } catch (error) {
    // An engine that an earlier release started, and left running, does not know this login yet.
    log.warn({ err: error }, `${AS_OWNER} until PostgreSQL is started again`)
    return connection
  }
}

const AS_OWNER =
  'the app signs in to the database as its owner: with APP_DATABASE_URL it would as a user who can’t change what was paid'

/** Lets the app's role sign in. Over TCP it has a password, from which nobody finds the owner's. */
async function openAppLogin({ url, ...rest }: Connection, owner: Db): Promise<Connection> {
  const appUrl = new URL(url)
  const { password } = appUrl
  appUrl.username = appRole
  if (password !== '') {
    appUrl.password = createHmac('sha256', decodeURIComponent(password))
      .update(appRole)
      .digest('base64url')
    await sql`alter role ${sql.ref(appRole)} login password ${sql.lit(appUrl.password)}`.execute(
      owner,
    )
  } else {
    const { rows } = await sql<{ can: boolean }>`
      select rolcanlogin as can from pg_roles where rolname = ${appRole}
    `.execute(owner)
    if (!rows[0]?.can) await sql`alter role ${sql.ref(appRole)} login`.execute(owner)
  }
  // The sessions of clicks keep quiet about what the app logs itself.
  await sql`grant set on parameter log_min_messages to ${sql.ref(appRole)}`.execute(owner)
  return { ...rest, url, appUrl: appUrl.href }
}

type Session = {
  user: string
  /** The users, and rights, that it could take, besides the app's role. */
  above: string[]
  database: string
  startedAt: string
}

async function expectAppLogin(connection: Connection, owner: Db): Promise<void> {
  const app = openDatabase(connection, { max: 1, applicationName: 'tallyroom start' })
  try {
    const [own, ours] = await Promise.all([describe(app.db), describe(owner)])
    if (own.database !== ours.database || own.startedAt !== ours.startedAt) {
      throw new ConfigError(['APP_DATABASE_URL names another database than DATABASE_URL'])
    }
    if (own.above.length > 0) {
      throw new ConfigError([
        `APP_DATABASE_URL signs in “${own.user}”, who can become ${own.above.join(', ')}: it needs a user who is only a member of ${appRole}`,
      ])
    }
  } finally {
    await app.close()
  }
}

async function describe(db: Db): Promise<Session> {
  const { rows } = await sql<Session>`
    select
      session_user as "user",
      array(
        select rolname::text from pg_roles
        where rolname not in (session_user, ${appRole}) and pg_has_role(session_user, oid, 'member')
        union all
        select 'a superuser' from pg_roles where rolname = session_user and rolsuper
        union all
        select 'any role' from pg_roles where rolname = session_user and rolcreaterole
      ) as above,
      current_database()::text as database,
      pg_postmaster_start_time()::text as "startedAt"
  `.execute(db)
  const [session] = rows
  if (!session) throw new Error('a session describes itself')
  return session
}
