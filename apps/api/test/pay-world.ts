import { randomUUID } from 'node:crypto'
import type { AvpRule, Payees, PayLength } from '@tallyroom/domain/pay'
import type { Insertable } from 'kysely'
import type { DB } from '../src/db/types.ts'
import { closePeriod } from '../src/pay/closing/close-period.ts'
import { savePaySettings } from '../src/pay/acts/settings.ts'
import { buildAccount, buildAgent, buildLinkType, buildOffice, buildSite } from './build-world.ts'
import { viewer } from './call-routes.ts'
import { buildSealed, buildSealedRows } from './sealed-rows.ts'
import type { TestServices } from './services.ts'

/**
 * Two offices with one agent each, a site with AVP (Alpha) and one without (Gamma). Their link
 * types pay ₱500.00 and ₱300.00. Tiers pay ₱10.00 ($0.20) for one or two sales per week, and ₱20.00
 * ($0.40) for more. Pay has been on since Sunday 2026-02-01, midnight.
 */
export async function buildPayWorld(
  services: TestServices,
  settings: {
    avp: AvpRule
    payees?: Payees
    periodLength?: PayLength
    minimumCentavos?: number
    holdingDays?: number
    firstDay?: string
  },
) {
  const { db, clock } = services
  clock.set('2026-02-01T05:00:00Z')
  const closer = await buildAccount(db, { username: `closer${++worlds}` })
  const manila = await buildOffice(db, { name: 'Manila' })
  const cebu = await buildOffice(db, { name: 'Cebu' })
  const maria = await buildAgent(db, { office_id: manila, username: `maria${worlds}` })
  const noel = await buildAgent(db, { office_id: cebu, username: `noel${worlds}` })
  const alpha = await buildSite(db, { sitename: 'Alpha', avp: true })
  const gamma = await buildSite(db, { sitename: 'Gamma' })
  const avpType = await buildLinkType(db, { site_id: alpha, typename: 'Free' })
  const plainType = await buildLinkType(db, { site_id: gamma, typename: 'Gift' })
  await db
    .insertInto('avp_tiers')
    .values([tier(0, 0, 0, 0, 0), tier(1, 1, 2, 10_00, 20), tier(2, 3, 1000, 20_00, 40)])
    .onConflict((on) => on.doNothing())
    .execute()
  const who = { ...viewer(), accountId: closer }
  await savePaySettings(services, who, {
    payees: 'offices',
    periodLength: 'beWeek',
    minimumCentavos: 0,
    minimumCents: 0,
    firstDay: '2026-02-01',
    ...settings,
  })

  const events = new Map<string, Insertable<DB['sale_events']>>()
  return {
    closer,
    who,
    offices: { manila, cebu },
    agents: { maria, noel },
    sites: { alpha, gamma },
    types: { avpType, plainType },
    /**
     * Records a sale at the time at which it was made; by default ₱500.00 on the AVP site, at noon.
     */
    async sell(
      name: string,
      agent: 'maria' | 'noel',
      day: string,
      values: Partial<Insertable<DB['sale_events']>> & { plain?: true } = {},
    ) {
      const { plain, ...columns } = values
      const at = new Date(`${day}T17:00:00Z`)
      const event = {
        id: randomUUID(),
        agent_id: agent === 'maria' ? maria : noel,
        office_id: agent === 'maria' ? manila : cebu,
        site_id: plain ? gamma : alpha,
        type_id: plain ? plainType : avpType,
        occurred_at: at,
        recorded_at: at,
        event_type: 0,
        quantity: 1,
        earning_cents: 25_00,
        payout_centavos: plain ? 300_00 : 500_00,
        lpp: 1,
        avp: !plain,
        rate_source: 'default',
        fraud: false,
        click_id: name,
        ...columns,
      }
      events.set(name, event)
      await db.insertInto('sale_events').values(event).execute()
      return event.id
    },
    /** Reverses a sale. */
    async reverse(name: string, day: string) {
      const sale = events.get(name)
      if (!sale) throw new Error(`no sale ${name}`)
      const at = new Date(`${day}T17:00:00Z`)
      const id = randomUUID()
      await db
        .insertInto('sale_events')
        .values({
          ...sale,
          id,
          occurred_at: at,
          recorded_at: at,
          quantity: -1,
          earning_cents: -sale.earning_cents,
          payout_centavos: -sale.payout_centavos,
          lpp: -1,
          reverses: sale.id,
          reversal: 'chargeback',
        })
        .execute()
      return id
    },
    /** Gives an office, or an agent, a confirmed account in a currency. */
    async payIn(currency: 'PHP' | 'USD', payeeId: number, kind: 'office' | 'agent' = 'office') {
      const at = clock.now()
      const id = await buildSealed(db, 'payee_accounts', {
        payee_kind: kind,
        payee_id: payeeId,
        channel: 'bank',
        sealed: Buffer.alloc(1),
        last_characters: '0000',
        currency,
        entered_at: at,
        entered_by: closer,
        entered_by_name: 'closer',
        confirmations: 1,
        doubts: [],
      })
      await buildSealedRows(db, 'payee_account_decisions', {
        account_id: id,
        decided_by: SOMEBODY,
        decided_by_name: 'somebody',
        confirmed: true,
        decided_at: at,
      })
    },
    /** Closes a period on a day, or now. */
    close: (name: string, day?: string) => {
      if (day !== undefined) clock.set(`${day}T15:00:00Z`)
      return closePeriod(services, { id: closer, name: 'closer' }, { name, typed: name, seen: [] })
    },
  }
}

let worlds = 0

/** The id of no account. */
const SOMEBODY = 9_999_999

const tier = (index: number, from: number, to: number, centavos: number, cents: number) => ({
  valid_from: '2025-12-29',
  index,
  from_sales: from,
  to_sales: to,
  payout_centavos: centavos,
  payout_cents: cents,
})

/** Every table that a pay world may leave rows in, children first. */
export const PAY_TABLES = [
  'pay_seals',
  'settled_refusals',
  'payment_refusals',
  'payment_returns',
  'payment_results',
  'payment_run_steps',
  'payment_file_downloads',
  'payment_run_files',
  'payment_file_lines',
  'payment_run_lines',
  'payment_runs',
  'booked_adjustments',
  'adjustments',
  'tier_payments',
  'settlements',
  'given_up',
  'balance_entries',
  'statements',
  'bookings',
  'pay_periods',
  'pay_exchange_rates',
  'pay_proposal_decisions',
  'pay_proposals',
  'pay_settings',
  'pay_state',
  'pay_holds',
  'pay_minimums',
  'payee_tax_details',
  'payee_account_shares',
  'pay_file_template_changes',
  'payee_account_decisions',
  'act_factors',
  'passkey_changes',
  'payee_accounts',
  'pay_grants',
  'agent_moves',
  'account_hands',
  'sale_events',
  'avp_tiers',
  'accounts',
  'agents',
  'office_sites',
  'rate_withdrawals',
  'rate_backdatings',
  'rates',
  'offices',
  'former_link_type_flags',
  'link_types',
  'former_site_flags',
  'sites',
] as const
