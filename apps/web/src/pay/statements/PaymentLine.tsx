import type { StatementItem } from '@tallyroom/contract/pay/statements/statements'
import { useToday } from '../../lib/clock.ts'
import { paymentText } from '../pay-words.ts'

type PaymentLineProps = { payment: NonNullable<StatementItem['payment']> }

/** Which run pays a statement, how far it is, when and to which account. */
export const PaymentLine = ({ payment }: PaymentLineProps) => paymentText(payment, useToday())
