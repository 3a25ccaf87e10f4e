import pg from 'pg'

/**
 * What a violated unique constraint means for the form: the field and its message. Other constraints can only
 * be violated by a bug.
 */
const meanings: Record<string, [field: string, message: string]> = {
  accounts__username: ['username', 'is already taken'],
  accounts__username_look: ['username', 'looks too similar to one that is taken'],
  offices__name: ['officeName', 'is already taken'],
  preferred_domains__domain: ['domain', 'is already listed'],
  sites__sitename: ['sitename', 'is already taken'],
  link_types__typealias: ['typealias', 'is already used by another link type of this site'],
  coupons__endless_look: ['code', 'is already a code of this site, or looks too similar to one'],
  site_manuals__site_id: ['siteId', 'already has a manual'],
  ip_blacklist__ip: ['ip', 'is already listed'],
  pay_file_templates__name: ['name', 'is already the name of another template'],
  short_names__pk: ['name', 'is already taken, or looks like one that is'],
  saved_views__name: ['name', 'is already the name of another view of yours'],
  adjustments__opposite_of: ['_form', 'This adjustment has already been taken back.'],
  migrating_agents__username: ['username', 'is already waiting for migration'],
}

/**
 * Field messages for a duplicate value; undefined for any other error. Checking after the insert is safe
 * against concurrent requests.
 */
export function constraintMessages(error: unknown): Record<string, string[]> | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined
  const meaning = meanings[constraintOf(error)]
  if (!meaning) return undefined
  const [field, message] = meaning
  return { [field]: [message] }
}

/**
 * On Citus, constraints of reference tables have the shard's number as suffix, and errors from workers arrive without
 * their fields; only the message names the constraint.
 */
function constraintOf({ constraint, message }: pg.DatabaseError): string {
  const name = constraint ?? /"([^"]+)"/.exec(message)?.[1] ?? ''
  return name.replace(/_\d{6,}$/, '')
}

/** For the test that all of them exist. */
export const knownConstraints = Object.keys(meanings)
