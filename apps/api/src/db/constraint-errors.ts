import pg from 'pg'

/**
 * What a broken unique constraint means to the person who filled in the form: the field of the request
 * and what to tell. A constraint that is not here can only break by a bug.
 */
const meanings: Record<string, [field: string, message: string]> = {
  accounts__username: ['username', 'is already taken'],
  accounts__username_look: ['username', 'looks too much like one that is taken'],
  offices__name: ['officeName', 'is already taken'],
  preferred_domains__domain: ['domain', 'is already listed'],
  sites__sitename: ['sitename', 'is already taken'],
  link_types__typealias: ['typealias', 'is already used by another type of this site'],
  site_manuals__site_id: ['siteId', 'has a manual already'],
  ip_blacklist__ip: ['ip', 'is already listed'],
  migrating_agents__username: ['username', 'is already waiting to be moved'],
}

/**
 * The field messages for a value that is taken, or nothing for any other error. Letting the database
 * decide, rather than asking it first, holds when two requests come at once.
 */
export function constraintMessages(error: unknown): Record<string, string[]> | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined
  const meaning = error.constraint === undefined ? undefined : meanings[error.constraint]
  if (!meaning) return undefined
  const [field, message] = meaning
  return { [field]: [message] }
}

/** For the test that every one of them exists. */
export const knownConstraints = Object.keys(meanings)
