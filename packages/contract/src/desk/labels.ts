import type { AlarmField } from './alarms.ts'

/*
 * What forms and the history call the fields of forms. A field without a label does not compile.
 */

export const alarmLabels = {
  oneInDays: 'Days without a false alarm',
  leastClicks: 'Usual clicks, at least',
  leastSales: 'Usual sales, at least',
  floodTimes: 'Flood',
} satisfies Record<AlarmField, string>
