import { Button } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { can } from '@tallyroom/domain/abilities'
import { useQueryClient } from '@tanstack/react-query'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { useMe } from '../../lib/session.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { payeeParams } from '../pay-words.ts'
import { setMinimum } from '../pay.api.ts'
import classes from '../pay.module.css'
import { refreshPay } from '../refresh-pay.ts'

/** The payee's own minimums that no balance shows, or that are in a currency which the payee has left. */
export function OwnMinimums({ balance }: { balance: Balance }) {
  const { payee, currency: paidIn, balances, ownMinimums } = balance
  const client = useQueryClient()
  const mayManage = can(useMe(), 'pay.manage')
  const others = ownMinimums.filter(
    ({ currency }) => currency !== paidIn || !balances.some((one) => one.currency === currency),
  )
  const remove = (currency: Balance['currency'], amount: string) => {
    const inWords = currency === 'PHP' ? 'pesos' : 'dollars'
    void confirm({
      heading: `Remove ${payee.name}’s minimum in ${inWords}?`,
      body: `${amount} no longer counts. The network’s minimum then applies to their balance in ${inWords}.`,
      confirmLabel: 'Remove the minimum',
      action: async () => {
        const removing = setMinimum(payeeParams(payee), { amount: null, currency })
        await thenRefresh(removing, () => refreshPay(client))
        toastDone()
      },
    })
  }
  return others.map(({ currency, amount }) => {
    const text = moneyText(amount, currency)
    return (
      <section key={currency} className={classes.card} aria-label={`Minimum in ${currency}`}>
        <div className={classes.cardRow}>
          <p>
            <strong>Own minimum: {text}</strong>, for accounts in {currency}.
            {currency !== paidIn && ` Payments are in ${paidIn} now.`}
          </p>
          {mayManage && (
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove the minimum in ${currency}`}
              onClick={() => remove(currency, text)}
            >
              Remove
            </Button>
          )}
        </div>
      </section>
    )
  })
}
