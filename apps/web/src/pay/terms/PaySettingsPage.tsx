import { Button } from '@mantine/core'
import type { PaySettings } from '@tallyroom/contract/pay/terms/settings'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { MOST_RATE_PERCENT } from '@tallyroom/domain/pay-limits'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { LastChanges } from '../../shared/LastChanges.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { JournalAccounts } from './JournalAccounts.tsx'
import { LimitsDialog } from './LimitsDialog.tsx'
import { settingsQuery } from '../pay.api.ts'
import { PaySettingsForm } from './PaySettingsForm.tsx'
import { LinkText } from '../../ui/links.tsx'
import { TwoPeople } from './TwoPeople.tsx'
import { useAsked } from '../../ui/use-asked.ts'
import classes from '../pay.module.css'

const PayerDetails = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).PayerDetails,
}))

/** Who is paid, how often, and by what. */
export const PaySettingsPage = () => (
  <FormLoader query={useQuery(settingsQuery)} fields={5}>
    {(settings) => (
      <>
        <div className={classes.cards}>
          <TwoPeople settings={settings} />
          {settings.on && <Limits limits={settings.adjustmentLimits} />}
        </div>
        <PaySettingsForm settings={settings} />
        {settings.on && (
          <section className={classes.journal} aria-label="Accounts of the journal">
            <h2>Accounts of the journal</h2>
            <p className={classes.lead}>
              Their names or numbers, exactly as in your accountant’s software.
            </p>
            <JournalAccounts />
          </section>
        )}
        {settings.on && (
          <Suspense>
            <PayerDetails />
          </Suspense>
        )}
        <LastChanges object="paySettings:0" />
      </>
    )}
  </FormLoader>
)

/** Above what an adjustment waits for a second person. Two people change it, so it is no field of the form. */
function Limits({ limits }: { limits: PaySettings['adjustmentLimits'] }) {
  const change = useAsked<true>()
  return (
    <section className={classes.card} aria-label="Limits">
      <div className={classes.cardRow}>
        <p>
          <strong>Limits.</strong> Adjustments above {moneyText(limits.PHP, 'PHP')} or{' '}
          {moneyText(limits.USD, 'USD')} for one payee in one period, exchange rates that differ by
          more than {MOST_RATE_PERCENT} % from the last, and failed transfers that the bank’s file
          does not name{' '}
          <LinkText to="/app/pay/proposals" underlined>
            wait for a second person
          </LinkText>
          .
        </p>
        <Button variant="default" onClick={() => change.ask(true)}>
          Change the limits
        </Button>
      </div>
      {change.asked && <LimitsDialog key={change.key} limits={limits} onClosed={change.end} />}
    </section>
  )
}
