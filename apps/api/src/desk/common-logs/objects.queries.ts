import type { ObjectKind } from '@tallyroom/contract/desk/common-logs'
import type { OptionName } from '@tallyroom/contract/catalogue/options'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { dollars, type Find, finder, pesos, type Snapshot, yes } from './object-finder.ts'
import { adminFinder, agentFinder, officeFinder } from './objects-of-people.queries.ts'
import {
  payeeAccountFinder,
  payFileFinder,
  paymentRunFinder,
  payProposalFinder,
} from './objects-of-pay.queries.ts'
import {
  linkTypeFinder,
  officeFeeFinder,
  siteFinder,
  siteManualFinder,
} from './objects-of-selling.queries.ts'

/** The objects that exist among these keys, which are all of one kind. */
export const findObjects = (
  db: DbOrTx,
  kind: ObjectKind,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Snapshot>> => finders[kind](db, keys, now)

/** The names of fields with earnings, which not everybody sees. */
export const isEarningField = (field: string): boolean => /\bearning\b/.test(field)

/** Lists of names are in alphabetical order. */
const finders: Record<ObjectKind, Find> = {
  agent: agentFinder,
  office: officeFinder,
  admin: adminFinder,
  site: siteFinder,
  linkType: linkTypeFinder,
  officeFee: officeFeeFinder,
  siteManual: siteManualFinder,
  paymentRun: paymentRunFinder,
  payeeAccount: payeeAccountFinder,
  payProposal: payProposalFinder,
  payFile: payFileFinder,

  domain: finder(
    (keys) => sql<{
      key: string
      domain: string
      description: string
      hidden: boolean
      root: string | null
    }>`
      select id::text as key, domain, description, hidden, root_url as root
      from preferred_domains
      where id = any(${keys.map(Number)}::bigint[])
    `,
    ({ domain, description, hidden, root }) => ({
      name: domain,
      fields: { name: domain, description, 'root redirects to': root ?? '', hidden: yes(hidden) },
    }),
  ),

  avpSchedule: finder(
    (keys) => sql<{ key: string; tiers: { from: number; to: number; php: number; usd: number }[] }>`
      select
        valid_from::text as key,
        json_agg(
          json_build_object('from', from_sales, 'to', to_sales, 'php', payout_centavos, 'usd', payout_cents)
          order by index
        ) as tiers
      from avp_tiers
      where valid_from::text = any(${[...keys]}::text[])
      group by valid_from
    `,
    ({ key, tiers }) => ({
      name: `the AVP schedule from ${key}`,
      fields: {
        tiers: tiers.map(
          ({ from, to, php, usd }) => `${from}–${to}: ${pesos(php)} / ${dollars(usd)}`,
        ),
      },
    }),
  ),

  options: async (db) => {
    const { rows } = await sql<{ name: string; value: string }>`
      select name, value from options order by name
    `.execute(db)
    const fields = Object.fromEntries(
      rows.map(({ name, value }) => [
        optionNames.get(name) ?? name,
        { 0: 'off', 1: 'on' }[value] ?? value,
      ]),
    )
    return new Map([['0', { name: 'the system options', also: [], fields, secrets: {} }]])
  },
}

const optionNames = new Map<string, string>(
  Object.entries({
    auto_block_account: 'option Auto Block Account',
    lpp_visible: 'option LPP Visible',
    payout_visible: 'option Payout Visible',
  } satisfies Record<OptionName, string>),
)
