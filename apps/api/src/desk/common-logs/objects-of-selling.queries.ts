import { dayOf } from '@tallyroom/domain/new-york'
import { findTracker } from '@tallyroom/domain/trackers'
import { type RawBuilder, sql } from 'kysely'
import { defaultRateId, ownRateId, preparedRates } from '../../catalogue/index.ts'
import { dollars, finder, pesos, state, yes } from './object-finder.ts'

export const siteFinder = finder(
  (keys) => sql<{
    key: string
    sitename: string
    shortname: string
    abbr: string
    url: string
    click_param: string
    contact_name: string
    phone_num: string
    email: string
    type: string
    note: string
    special_report: boolean
    use_approve_sale: boolean
    avp: boolean
    active: boolean
    hidden: boolean
    transaction_id_is_click: boolean
    always_ok_text: string | null
    event_words: Record<string, string>
    status_words: Record<string, string>
    tracker: string
    offices: string[]
    key_id: number | null
  }>`
    select
      site.id::text as key, site.sitename, site.shortname, site.abbr, site.url, site.click_param,
      site.contact_name, site.phone_num, site.email, site.type, site.note, site.special_report,
      site.use_approve_sale, site.avp, site.active, site.hidden, site.transaction_id_is_click,
      site.always_ok_text, site.event_words, site.status_words, site.tracker,
      array(
        select office.name from office_sites as allowed join offices as office on office.id = allowed.office_id
        where allowed.site_id = site.id order by 1
      ) as offices,
      (select max(id) from site_keys where site_id = site.id) as key_id
    from sites as site
    where site.id = any(${ids(keys)}) and site.deleted_at is null
  `,
  (site) => ({
    name: site.sitename,
    fields: {
      name: site.sitename,
      'short name': site.shortname,
      abbreviation: site.abbr,
      URL: site.url,
      'click parameter': site.click_param,
      'contact name': site.contact_name,
      'phone number': site.phone_num,
      email: site.email,
      type: site.type,
      note: site.note,
      'special report flag': yes(site.special_report),
      'approve-sale flag': yes(site.use_approve_sale),
      'AVP flag': yes(site.avp),
      state: state(site.active),
      hidden: yes(site.hidden),
      'transaction_id as the click id': yes(site.transaction_id_is_click),
      'fixed answer to postbacks': site.always_ok_text ?? '',
      'event names': Object.entries(site.event_words)
        .map(([word, event]) => `${word} = ${event}`)
        .toSorted(),
      'status words': Object.entries(site.status_words)
        .map(([word, standing]) => `${word} = ${standing}`)
        .toSorted(),
      tracker: findTracker(site.tracker)?.name ?? site.tracker,
      offices: site.offices,
    },
    secrets: { 'postback key': String(site.key_id) },
  }),
)

export const linkTypeFinder = finder(
  (keys, now) => sql<
    Rates & {
      key: string
      site_id: number
      sitename: string
      typename: string
      typealias: string
      bbr_ch: string
      url: string
      bonus: boolean
      active: boolean
    }
  >`
    select
      type.id::text as key, type.site_id, site.sitename, type.typename, type.typealias, type.bbr_ch,
      type.url, type.bonus, type.active, rate.payout_centavos, rate.earning_cents, rate.lpp,
      rate.bonus_payout_centavos, rate.bonus_earning_cents, rate.bonus_lpp,
      ${preparedOf(sql`type.id`, sql`null`, now)} as prepared
    from link_types as type
    join sites as site on site.id = type.site_id
    join rates as rate on rate.id = ${defaultRateId({ typeId: sql`type.id`, at: sql`${now}::timestamptz` })}
    where type.id = any(${ids(keys)}) and type.deleted_at is null
  `,
  (type) => ({
    name: `${type.sitename} · ${type.typename}`,
    also: [`site:${type.site_id}`],
    fields: {
      name: type.typename,
      alias: type.typealias,
      'integration channel': type.bbr_ch,
      URL: type.url,
      ...rateFields(type),
      'bonus flag': yes(type.bonus),
      state: state(type.active),
    },
  }),
)

export const officeFeeFinder = finder(
  (keys, now) => sql<
    Rates & {
      key: string
      type_id: number
      site_id: number
      office_id: number
      sitename: string
      typename: string
      office: string
      enabled: boolean
    }
  >`
    select
      type.id || '.' || office.id as key, type.id as type_id, type.site_id, office.id as office_id,
      site.sitename, type.typename, office.name as office, coalesce(own.enabled, false) as enabled,
      coalesce(own.payout_centavos, standard.payout_centavos) as payout_centavos,
      coalesce(own.earning_cents, standard.earning_cents) as earning_cents,
      coalesce(own.lpp, standard.lpp) as lpp,
      coalesce(own.bonus_payout_centavos, standard.bonus_payout_centavos) as bonus_payout_centavos,
      coalesce(own.bonus_earning_cents, standard.bonus_earning_cents) as bonus_earning_cents,
      coalesce(own.bonus_lpp, standard.bonus_lpp) as bonus_lpp,
      ${preparedOf(sql`type.id`, sql`office.id`, now)} as prepared
    from unnest(${keys.map((key) => Number(key.split('.')[0]))}::bigint[],
                ${keys.map((key) => Number(key.split('.')[1]))}::bigint[]) as asked (type_id, office_id)
    join link_types as type on type.id = asked.type_id
    join sites as site on site.id = type.site_id
    join offices as office on office.id = asked.office_id
    join rates as standard on standard.id = ${defaultRateId({ typeId: sql`type.id`, at: sql`${now}::timestamptz` })}
    left join rates as own on own.id = ${ownRateId({ typeId: sql`type.id`, officeId: sql`office.id`, at: sql`${now}::timestamptz` })}
  `,
  (fee) => ({
    name: `${fee.sitename} · ${fee.typename} for ${fee.office}`,
    also: [`office:${fee.office_id}`, `site:${fee.site_id}`, `linkType:${fee.type_id}`],
    fields: { 'own rates': fee.enabled ? 'enabled' : 'disabled', ...rateFields(fee) },
  }),
)

export const siteManualFinder = finder(
  (keys) => sql<{ key: string; site_id: number; sitename: string; title: string; html: string }>`
    select manual.id::text as key, manual.site_id, site.sitename, manual.title, manual.html
    from site_manuals as manual
    join sites as site on site.id = manual.site_id
    where manual.id = any(${ids(keys)})
  `,
  ({ site_id, sitename, title, html }) => ({
    name: title,
    also: [`site:${site_id}`],
    fields: { title, site: sitename },
    // Too long to record.
    secrets: { text: html },
  }),
)

const ids = (keys: readonly string[]) => sql`${keys.map(Number)}::bigint[]`

type Rates = {
  payout_centavos: number
  earning_cents: number
  lpp: number
  bonus_payout_centavos: number
  bonus_earning_cents: number
  bonus_lpp: number
  prepared: (Omit<Rates, 'prepared'> & { enabled: boolean; from: string })[]
}

const preparedOf = (typeId: RawBuilder<unknown>, officeId: RawBuilder<unknown>, now: Date) => sql`(
  select coalesce(json_agg(json_build_object(
    'from', valid_from, 'enabled', enabled, 'payout_centavos', payout_centavos,
    'earning_cents', earning_cents, 'lpp', lpp, 'bonus_payout_centavos', bonus_payout_centavos,
    'bonus_earning_cents', bonus_earning_cents, 'bonus_lpp', bonus_lpp
  ) order by valid_from), '[]')
  from ${preparedRates(sql`${now}::timestamptz`)} as prepared
  where prepared.type_id = ${typeId} and prepared.office_id is not distinct from ${officeId}
)`

const rateFields = (rates: Rates) => ({
  payout: pesos(rates.payout_centavos),
  earning: dollars(rates.earning_cents),
  points: String(rates.lpp),
  'bonus payout': pesos(rates.bonus_payout_centavos),
  'bonus earning': dollars(rates.bonus_earning_cents),
  'bonus points': String(rates.bonus_lpp),
  'prepared rates': rates.prepared.map(
    ({ from, enabled, payout_centavos: payout, lpp, bonus_payout_centavos: bonus }) =>
      enabled
        ? `${pesos(payout)} (bonus ${pesos(bonus)}), ${lpp} points from ${dayOf(new Date(from))}`
        : `those of the link type from ${dayOf(new Date(from))}`,
  ),
  'prepared earning': rates.prepared
    .filter(({ enabled }) => enabled)
    .map(
      ({ from, earning_cents: earning, bonus_earning_cents: bonus }) =>
        `${dollars(earning)} (bonus ${dollars(bonus)}) from ${dayOf(new Date(from))}`,
    ),
})
