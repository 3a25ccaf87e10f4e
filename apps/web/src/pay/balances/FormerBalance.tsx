import { Button, Group } from '@mantine/core'
import type { BalanceItem } from '@tallyroom/contract/pay/balances/balances'
import { CURRENCY_NAMES, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { otherThan } from '@tallyroom/domain/conversion'
import { lazy, Suspense } from 'react'
import { useAsked } from '../../ui/use-asked.ts'
import classes from '../pay.module.css'

const ConversionDialog = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).ConversionDialog,
}))

interface FormerBalanceProps {
  item: BalanceItem
  /** For whoever may change it. */
  onAdjust: (() => void) | undefined
}

/** A balance in a currency that its payee has left, and what can be done about it. */
export function FormerBalance({ item, onAdjust }: FormerBalanceProps) {
  const converting = useAsked<true>()
  const { currency, balance, running } = item
  const other = CURRENCY_NAMES[otherThan(currency)]
  return (
    <section
      className={classes.card}
      data-tone="act"
      aria-label={`Former balance in ${CURRENCY_NAMES[currency]}`}
    >
      <strong>{moneyText(balance, currency)}</strong>{' '}
      {balance > 0 ? 'is owed' : 'is owed to the network'} in a currency that is no longer paid:
      payments are in {other} now, so no run pays it.
      {onAdjust && running === 0 && (
        <Group gap="xs" mt="sm">
          <Button size="xs" onClick={() => converting.ask(true)}>
            Convert to {other}
          </Button>
          <Button size="xs" variant="default" onClick={onAdjust}>
            Adjust it
          </Button>
        </Group>
      )}
      {converting.asked && (
        <Suspense>
          <ConversionDialog key={converting.key} item={item} onClosed={converting.end} />
        </Suspense>
      )}
    </section>
  )
}
