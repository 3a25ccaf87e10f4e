import type { Day } from '@tallyroom/domain/new-york'
import type { MoneyWay } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'

const ways = {
  cash: 'in cash',
  cheque: 'by cheque',
  other: 'outside payment runs',
  transfer: 'by bank transfer',
} as const satisfies Record<MoneyWay, string>

/** `in cash on 25 Nov, voucher 118` */
export const outsideText = ({
  way,
  paidOn,
  voucher,
}: {
  way: MoneyWay
  paidOn: Day
  voucher: string
}): string => `${ways[way]} on ${daysInWords({ start: paidOn, end: paidOn })}, voucher ${voucher}`
