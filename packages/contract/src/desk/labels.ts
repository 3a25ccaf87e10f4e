import type { AlarmField } from './alarms.ts'

/*
 * What forms and the history call the fields of forms. A field without a label does not compile.
 */

export const alarmLabels = {
  oneInDays: 'Sensitivity: one false alarm in … days',
  leastClicks: 'Ignore hours with fewer expected clicks than',
  leastSales: 'Ignore hours with fewer expected sales than',
  floodTimes: 'Alarm above … times the usual',
} satisfies Record<AlarmField, string>
