import { useForm, type UseFormReturnType } from '@mantine/form'
import { type Balance, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import type { CountsAs } from '@tallyroom/domain/pay'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { onOneLine } from '../../ui/form/ReasonForm.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { refreshPay } from '../refresh-pay.ts'
import { amountText, type BalanceAct, minimumOf, minorUnitsIn } from '../balance-words.ts'
import { payeeParams } from '../pay-words.ts'
import { setMinimum } from '../pay.api.ts'
import { toastProposed } from '../waits.ts'

interface Values extends Record<string, unknown> {
  amount: string
  countsAs: CountsAs
  reason: string
  told: string
}

export type BalanceForm = UseFormReturnType<Values>

/** The form of an act on a balance, with the currency of its amount. Says that it is done, or whom it waits for. */
export function useBalanceForm(act: BalanceAct, balance: Balance, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { payee } = balance
  const currency = (act.kind === 'adjust' && act.former) || balance.currency
  const params = payeeParams(payee)
  const given = act.kind === 'adjust' ? act.given : undefined
  const adjustmentOf = ({ amount, reason, countsAs }: Values) => ({
    kind: payee.kind,
    id: payee.id,
    currency,
    amount: minorUnitsIn(amount),
    reason: onOneLine(reason),
    countsAs,
    heldBackFor: given?.heldBackFor,
  })

  const form = useForm<Values>({
    initialValues: {
      amount: act.kind === 'minimum' ? minimumOf(balance) : amountText(given?.amount),
      countsAs: 'earned',
      reason: given?.reason ?? '',
      told: '',
    },
    validate: (values) => ({
      ...(act.kind === 'adjust' &&
        validateBy(balancesEndpoints.createAdjustment, adjustmentOf)(values)),
      ...(act.kind === 'minimum' &&
        values.amount.trim() !== '' &&
        validateBy(balancesEndpoints.setPayMinimum, ({ amount }: Values) => ({
          amount: minorUnitsIn(amount),
        }))(values)),
      ...(act.kind !== 'minimum' && values.reason.trim() === '' && { reason: 'Is required.' }),
    }),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: async (values: Values): Promise<unknown> => {
      const reason = onOneLine(values.reason)
      switch (act.kind) {
        case 'adjust':
          return call(balancesEndpoints.createAdjustment, { body: adjustmentOf(values) })
        case 'take-back': {
          const id = String(act.adjustment.id)
          return call(balancesEndpoints.takeBackAdjustment, { params: { id }, body: { reason } })
        }
        case 'hold': {
          const body = { held: act.held, reason, told: onOneLine(values.told), seen: act.seen }
          const setting = call(balancesEndpoints.setPayHold, { params, body })
          return thenRefresh(setting, () => refreshPay(client))
        }
        case 'minimum': {
          const amount = values.amount.trim() === '' ? null : minorUnitsIn(values.amount)
          return setMinimum(params, { amount, currency })
        }
      }
    },
    onSaved: (answer) => {
      if (isProposed(answer)) toastProposed(navigate)
      else toastSaved()
      onDone()
      void refreshPay(client)
    },
  })
  return { form, saving, currency }
}

const isProposed = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'proposalId' in answer &&
  answer.proposalId !== null
