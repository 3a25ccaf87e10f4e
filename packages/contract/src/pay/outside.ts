import type { Day } from '@tallyroom/domain/new-york'
import type { OutsideWay } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'

const ways = {
  cash: 'in cash',
  cheque: 'by cheque',
  other: 'outside of payment runs',
} as const satisfies Record<OutsideWay, string>

/** `in cash on 25 Nov, voucher 118` */
export const outsideText = ({
  way,
  paidOn,
  voucher,
}: {
  way: OutsideWay
  paidOn: Day
  voucher: string
}): string => `${ways[way]} on ${daysInWords({ start: paidOn, end: paidOn })}, voucher ${voucher}`
