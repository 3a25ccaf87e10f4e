import { ALARM_KINDS, type AlarmLimits, WATCHED } from '@tallyroom/domain/alarms'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf } from '../forms.ts'
import { doneSchema, idSchema, idTextSchema, versionSchema } from '../list.ts'
import { reportDaySchema } from '../periods.ts'

/** Something that normally comes and does not, comes far too often, or a link that leads nowhere. */
export const alarmSchema = z.object({
  id: idSchema,
  kind: z.enum(ALARM_KINDS),
  watched: z.enum([...WATCHED, 'domain']),
  /** 0 for the network. */
  watchedId: z.int(),
  /** Of a site or link type. */
  siteId: idSchema.nullable(),
  /** Empty for the network. */
  name: z.string(),
  raisedAt: z.iso.datetime(),
  /** When the window began that shows it. */
  since: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** What is usual in that window, and what came in it when the alarm was raised. Null for links and domains. */
  expected: z.number().nullable(),
  came: z.int().nullable(),
  /** What a link or domain answered. */
  detail: z.string(),
  /** Not shown on Home before; its own, or that of its site. */
  quietUntil: z.iso.datetime().nullable(),
})
export type Alarm = z.infer<typeof alarmSchema>

const limitFields = {
  oneInDays: z.int().min(100).max(1_000_000),
  leastClicks: z.int().min(5).max(100_000),
  leastSales: z.int().min(3).max(100_000),
  floodTimes: z.int().min(2).max(100),
} satisfies Record<keyof AlarmLimits, z.ZodType>

/** What the form has. */
export type AlarmField = keyof typeof limitFields

/** Until this day begins, at most a year ahead; null ends it now. */
const quietBody = z.strictObject({ until: reportDaySchema.nullable() })

const watchedQuery = z.strictObject({
  watched: z.enum(WATCHED),
  /** 0 for the network. */
  id: z.union([z.literal('0').transform(() => 0), idTextSchema]),
})

/** How far back the chart begins, in hours. */
export const CHART_HOURS = 72

export const alarmsEndpoints = {
  alarms: endpoint({
    method: 'GET',
    path: '/api/alarms',
    summary: 'List the alarms of the last 30 days, the open ones first; at most 200',
    ability: 'alarms.view',
    action: 'VIEW',
    query: z.strictObject({
      siteId: idTextSchema.optional(),
      companyId: idTextSchema.optional(),
    }),
    response: z.object({
      items: z.array(alarmSchema),
      /** Of the site that was asked for: the end of its planned break. */
      siteQuietUntil: z.iso.datetime().nullable(),
    }),
  }),
  alarmChart: endpoint({
    method: 'GET',
    path: '/api/alarms/chart',
    summary: `Compare what came with what is usual, by the hour, for the last ${CHART_HOURS} hours`,
    ability: 'alarms.view',
    action: 'VIEW',
    query: watchedQuery,
    response: z.object({
      /** From the oldest to the current hour, so far. `usual` is the median of the eight weeks before, over three hours. */
      hours: z.array(
        z.object({
          from: z.iso.datetime(),
          clicks: z.int(),
          usualClicks: z.number(),
          sales: z.int(),
          usualSales: z.number(),
        }),
      ),
    }),
  }),
  quietAlarm: endpoint({
    method: 'POST',
    path: '/api/alarms/:id/quiet',
    summary:
      'Keep an open alarm off Home until a day begins, at most a year ahead, or show it again',
    ability: 'alarms.quiet',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: quietBody,
    response: doneSchema,
  }),
  quietSite: endpoint({
    method: 'POST',
    path: '/api/sites/:id/quiet',
    summary:
      'Raise and show no alarms of a site and its link types until a day begins, at most a year ahead, or end that',
    ability: 'alarms.quiet',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: quietBody,
    response: doneSchema,
  }),
  alarmSettings: endpoint({
    method: 'GET',
    path: '/api/alarm-settings',
    summary: 'Get when alarms are raised',
    ability: 'alarms.manage',
    action: 'VIEW',
    response: z.object({ ...limitFields, version: z.int() }),
  }),
  saveAlarmSettings: endpoint({
    method: 'POST',
    path: '/api/alarm-settings',
    summary: 'Change when alarms are raised. Omitted fields stay unchanged.',
    ability: 'alarms.manage',
    action: 'UPDATE',
    body: z.strictObject({ ...changesOf(limitFields), version: versionSchema }),
    response: doneSchema,
  }),
}
