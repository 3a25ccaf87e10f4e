import { sql } from 'kysely'
import type { Connection } from './connection.ts'
import type { Db } from './database.ts'
import type { Log } from '../lib/log/log.ts'

/** The newest minor release of each PostgreSQL that Tallyroom runs on, of 12 November 2026. Each release of Tallyroom looks again. */
export const newestMinors: Readonly<Record<number, number>> = { 15: 20, 16: 16, 17: 12, 18: 7 }

/**
 * The version to which a server should be updated: `18.7`. Undefined if it is as new as this release of Tallyroom knows, or of a
 * later major version.
 *
 * @param versionNumber as `server_version_num` has it: 180004 for 18.4
 */
export function newerMinor(versionNumber: number): string | undefined {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000]
  const newest = newestMinors[major]
  return newest !== undefined && minor < newest ? `${major}.${newest}` : undefined
}

/** What the operator is told of the database's version: `PostgreSQL 18.4`, and what to do if a newer minor one is known. */
export type EngineVersion = { version: string; advice: string | undefined }

export async function findEngineVersion(db: Db, { kind }: Connection): Promise<EngineVersion> {
  const { rows } = await sql<{ number: number }>`
    select current_setting('server_version_num')::int as number`.execute(db)
  const number = rows[0]?.number ?? 0
  const version = `PostgreSQL ${Math.floor(number / 10_000)}.${number % 10_000}`
  const newer = newerMinor(number)
  return {
    version,
    advice:
      newer === undefined
        ? undefined
        : kind === 'embedded'
          ? `it lacks the fixes up to ${newer}, and this release carries no newer one. To keep money, use a server that your distribution updates: DATABASE_URL`
          : `update it to ${newer} or newer, which fixes vulnerabilities`,
  }
}

/** A demo has nothing to protect, so nobody is warned of it. */
export function sayVersion(log: Log, { version, advice }: EngineVersion, isDemo: boolean): void {
  if (advice === undefined) log.info(`the database is ${version}`)
  else log[isDemo ? 'info' : 'warn'](`the database is ${version}: ${advice}`)
}
