import {
  siteLabels,
  shortLinkLabels,
  linkTypeLabels,
  couponLabels,
  manualLabels,
  feeLabels,
} from '@tallyroom/contract/catalogue/labels'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { findTracker } from '@tallyroom/domain/trackers'
import { type RawBuilder, sql } from 'kysely'
import {
  type FeeColumns,
  defaultRateId,
  findLinkTypeForms,
  findManualsById,
  findShortLinksById,
  findSiteForms,
  ownRateId,
  preparedRates,
} from '../../catalogue/index.ts'
import {
  dollars,
  finder,
  formFields,
  formFinder,
  inSentence,
  pesos,
  widerFinder,
  idsOf,
} from './object-finder.ts'

export const siteFinder = widerFinder(
  {
    forms: findSiteForms,
    keyOf: ({ id }) => id,
    around: (ids) => sql<{
      key: string
      offices: string[]
      key_id: number | null
      quiet_until: Date | null
      instead: string | null
    }>`
      select
        site.id::text as key,
        array(
          select office.name from office_sites as allowed join offices as office on office.id = allowed.office_id
          where allowed.site_id = site.id order by 1
        ) as offices,
        (select max(id) from site_keys where site_id = site.id) as key_id,
        (select until from quiet_sites where site_id = site.id) as quiet_until,
        other.sitename || ' · ' || instead.typename as instead
      from sites as site
      left join link_types as instead on instead.id = site.instead_type_id
      left join sites as other on other.id = instead.site_id
      where site.id = any(${ids}::bigint[])
    `,
  },
  (site, { offices, key_id, quiet_until, instead }) => ({
    name: site.sitename,
    fields: {
      ...formFields(siteLabels, {
        ...site,
        eventWords: site.eventWords.map(({ word, event }) => `${word} = ${event}`).toSorted(),
        statusWords: site.statusWords
          .map(({ word, standing }) => `${word} = ${standing}`)
          .toSorted(),
        wordReadings: site.wordReadings
          .map(
            ({ parameter, value, event, reading }) =>
              `${parameter}=${value} (${event}) = ${reading}`,
          )
          .toSorted(),
        tracker: findTracker(site.tracker)?.name ?? site.tracker,
        insteadTypeId: instead ?? '',
      }),
      offices,
      'quiet until': quiet_until ? dayOf(quiet_until) : '',
    },
    secrets: { 'postback key': String(key_id) },
  }),
)

const { validFrom: _from, ...typeLabels } = linkTypeLabels

/** The day of new rates is told by what is prepared. */
export const linkTypeFinder = widerFinder(
  {
    forms: findLinkTypeForms,
    keyOf: ({ id }) => id,
    around: (ids, now) => sql<{ key: string; sitename: string; prepared: Prepared[] }>`
      select
        type.id::text as key, site.sitename,
        ${preparedOf(sql`type.id`, sql`null`, now)} as prepared
      from link_types as type
      join sites as site on site.id = type.site_id
      where type.id = any(${ids}::bigint[])
    `,
  },
  (type, { sitename, prepared }) => ({
    name: `${sitename} · ${type.typename}`,
    also: [`site:${type.siteId}`],
    fields: {
      ...formFields(typeLabels, {
        ...type,
        payout: formatPesos(type.payout),
        earning: formatDollars(type.earning),
        bonusPayout: formatPesos(type.bonusPayout),
        bonusEarning: formatDollars(type.bonusEarning),
      }),
      ...preparedFields(prepared),
    },
  }),
)

export const shortLinkFinder = formFinder(findShortLinksById, (link) => ({
  name: `the short link ${link.name} of ${link.username} for ${link.sitename} · ${link.typename}`,
  also: [`agent:${link.agentId}`],
  fields: formFields(shortLinkLabels, link),
}))

/** The ids of link type and office in each key. */
const pairsOf = (keys: readonly string[]): number[][] =>
  keys.map((key) => idsOf(key.split('.'))).filter(({ length }) => length === 2)

export const officeFeeFinder = finder(
  (keys, now) => sql<
    FeeColumns & {
      prepared: Prepared[]
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
    from unnest(${pairsOf(keys).map(([typeId]) => typeId)}::bigint[],
                ${pairsOf(keys).map(([, officeId]) => officeId)}::bigint[]) as asked (type_id, office_id)
    join link_types as type on type.id = asked.type_id
    join sites as site on site.id = type.site_id
    join offices as office on office.id = asked.office_id
    join rates as standard on standard.id = ${defaultRateId({ typeId: sql`type.id`, at: sql`${now}::timestamptz` })}
    left join rates as own on own.id = ${ownRateId({ typeId: sql`type.id`, officeId: sql`office.id`, at: sql`${now}::timestamptz` })}
  `,
  (fee) => ({
    name: `${fee.sitename} · ${fee.typename} for ${fee.office}`,
    also: [`office:${fee.office_id}`, `site:${fee.site_id}`, `linkType:${fee.type_id}`],
    fields: {
      ...formFields(feeLabels, {
        enable: fee.enabled ? 'enabled' : 'disabled',
        payout: pesos(fee.payout_centavos),
        earning: dollars(fee.earning_cents),
        lpp: fee.lpp,
        bonusPayout: pesos(fee.bonus_payout_centavos),
        bonusEarning: dollars(fee.bonus_earning_cents),
        bonusLpp: fee.bonus_lpp,
      }),
      ...preparedFields(fee.prepared),
    },
  }),
)

const { html: textLabel, ...manualWords } = manualLabels

export const siteManualFinder = formFinder(findManualsById, (manual) => ({
  name: manual.title,
  also: [`site:${manual.siteId}`],
  fields: { ...formFields(manualWords, manual), site: manual.sitename },
  // Too long to record.
  secrets: { [inSentence(textLabel)]: manual.html },
}))

export const couponFinder = finder(
  (keys) => sql<{
    key: string
    code: string
    site_id: number
    agent_id: number
    sitename: string
    typename: string | null
    username: string | null
    starts_at: Date
    ends_at: Date | null
  }>`
    select
      coupon.id::text as key, coupon.code, coupon.site_id, coupon.agent_id, site.sitename, type.typename,
      account.username, coupon.starts_at, coupon.ends_at
    from coupons as coupon
    join sites as site on site.id = coupon.site_id
    left join link_types as type on type.id = coupon.type_id
    left join accounts as account on account.agent_id = coupon.agent_id
    where coupon.id = any(${idsOf(keys)}::bigint[])
  `,
  (coupon) => ({
    name: coupon.code,
    also: [`site:${coupon.site_id}`, `agent:${coupon.agent_id}`],
    fields: formFields(couponLabels, {
      code: coupon.code,
      siteId: coupon.sitename,
      typeId: coupon.typename ?? 'all',
      agentId: coupon.username,
      fromDay: dayOf(coupon.starts_at),
      untilDay: coupon.ends_at ? lastDayBefore(coupon.ends_at) : '',
    }),
  }),
)

/** The day of the last instant before an end. */
const lastDayBefore = (end: Date): string => dayOf(end.getTime() - 1)

type Prepared = FeeColumns & { enabled: boolean; from: string }

const preparedOf = (typeId: RawBuilder<unknown>, officeId: RawBuilder<unknown>, now: Date) => sql`(
  select coalesce(json_agg(json_build_object(
    'from', valid_from, 'enabled', enabled, 'payout_centavos', payout_centavos,
    'earning_cents', earning_cents, 'lpp', lpp, 'bonus_payout_centavos', bonus_payout_centavos,
    'bonus_earning_cents', bonus_earning_cents, 'bonus_lpp', bonus_lpp
  ) order by valid_from), '[]')
  from ${preparedRates(sql`${now}::timestamptz`)} as prepared
  where prepared.type_id = ${typeId} and prepared.office_id is not distinct from ${officeId}
)`

const preparedFields = (prepared: readonly Prepared[]) => ({
  'prepared rates': prepared.map(
    ({ from, enabled, payout_centavos: payout, lpp, bonus_payout_centavos: bonus }) =>
      enabled
        ? `${pesos(payout)} (bonus ${pesos(bonus)}), ${lpp} points from ${dayOf(new Date(from))}`
        : `those of the link type from ${dayOf(new Date(from))}`,
  ),
  'prepared earning': prepared
    .filter(({ enabled }) => enabled)
    .map(
      ({ from, earning_cents: earning, bonus_earning_cents: bonus }) =>
        `${dollars(earning)} (bonus ${dollars(bonus)}) from ${dayOf(new Date(from))}`,
    ),
})
