import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../src/db/database.ts'

/** The smallest world with a working link. For tests. */
export async function buildLinkNetwork(db: Db) {
  const created_at = new Date(0)
  const office = await db
    .insertInto('offices')
    .values({ name: 'Manila', created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const agent = await db
    .insertInto('agents')
    .values({ office_id: office.id, created_at, approved_at: created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const site = await db
    .insertInto('sites')
    .values({
      sitename: 'Merchant',
      shortname: 'm',
      abbr: 'm',
      url: 'https://merchant.example',
      click_param: 'cid',
      type: 'DATING',
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const type = await db
    .insertInto('link_types')
    .values({
      site_id: site.id,
      typename: 'Join',
      typealias: 'join',
      url: 'https://merchant.example/join?from={sub1}',
      payout_centavos: 100,
      earning_cents: 100,
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('office_sites').values({ office_id: office.id, site_id: site.id }).execute()
  return { office: office.id, agent: agent.id, site: site.id, type: type.id }
}

/** Waits until something is true; throws after ten seconds. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries++) {
    if (tries > 1_000) throw new Error('It did not become true within ten seconds.')
    await sleep(10)
  }
}
