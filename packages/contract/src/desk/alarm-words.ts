import type { Alarm } from './alarms.ts'
import { isProofAlarm, type ProofAlarm } from '@tallyroom/domain/alarms'
import { formatCount } from '@tallyroom/domain/money'
import { formatDateTime } from '@tallyroom/domain/new-york'

const proofTitles: Record<ProofAlarm, string> = {
  'money-refused': 'An act of money was refused: the database has what Tallyroom did not write',
  'pay-differs': 'Pay differs from what was decided or booked',
  'logs-differ': 'The common logs were changed',
  'totals-differ': 'The totals differ from the events',
}

type Words = Pick<Alarm, 'kind' | 'name' | 'expected' | 'came' | 'since' | 'detail'>

/** Where the chart is that shows it. */
export function alarmPage({
  kind,
  watched,
  watchedId,
  siteId,
}: Pick<Alarm, 'kind' | 'watched' | 'watchedId' | 'siteId'>): `/app/${string}` {
  if (isProofAlarm(kind)) return '/app/settings/verification'
  if (siteId !== null) {
    const chart = `/app/sites/${siteId}/alarms` as const
    return watched === 'type' ? `${chart}?typeId=${watchedId}` : chart
  }
  return watched === 'office' ? `/app/offices/${watchedId}/alarms` : '/app/settings/alarms'
}

/** `Lantern Live: no clicks`. */
export function alarmTitle({ kind, name, came }: Words): string {
  const of = name === '' ? 'The whole network' : name
  const little = came === 0 ? 'no' : 'few'
  switch (kind) {
    case 'no-clicks':
      return `${of}: ${little} clicks`
    case 'no-sales':
      return `${of}: ${little} sales`
    case 'clicks-without-sales':
      return `${of}: clicks, but ${little} sales`
    case 'many-clicks':
      return `${of}: a flood of clicks`
    case 'many-sales':
      return `${of}: a flood of sales`
    case 'refused':
      return `${of}: postbacks are refused`
    case 'target-fails':
      return `${of}: the target does not work`
    case 'target-moved':
      return `${of}: the target leads elsewhere`
    case 'domain-fails':
      return `${of}: the domain does not answer as ours`
    case 'certificate':
      return `${of}: the certificate ends soon`
    case 'money-refused':
    case 'pay-differs':
    case 'logs-differ':
    case 'totals-differ':
      return proofTitles[kind]
  }
}

/** `0 came, about 64 are usual, since 2026-11-26 (14:00)`; for a link, what it answered. */
export function alarmFact({ expected, came, since, detail }: Words): string {
  if (expected === null || came === null) return detail
  const usual = expected < 1 ? 'hardly any' : `about ${formatCount(Math.round(expected))}`
  return `${formatCount(came)} came, ${usual} are usual, since ${formatDateTime(new Date(since))}`
}
