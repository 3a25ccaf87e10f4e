import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { outsideText } from '@tallyroom/contract/pay/outside/outside'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { advanceText, waitingText } from '../balance-words.ts'
import classes from '../pay.module.css'

/** That a payee is on hold. Staff read why and by whom, the payee what was written for them. */
export const HoldNote = ({
  hold: { reason, setBy, setAt, told },
}: {
  hold: Omit<Balance['holds'][number], 'held'>
}) => (
  <section className={classes.card} data-tone="stop" aria-label="On hold">
    {reason === undefined ? (
      <>
        {told}
        <div className={classes.dim}>
          Since <Instant at={setAt} />
        </div>
      </>
    ) : (
      <>
        <strong>On hold.</strong> {reason}
        <div className={classes.dim}>
          By {setBy}, <Instant at={setAt} />. The payee reads: {told}
        </div>
      </>
    )}
  </section>
)

/** What waits for a second person. */
export const WaitingNote = ({ waiting }: { waiting: NonNullable<Balance['waiting']> }) => (
  <section className={classes.card} data-tone="act" aria-label="Waiting for a second person">
    <strong>Waiting for a second person.</strong>{' '}
    {waiting.map(({ id, reason, madeBy, ...one }) => (
      <div key={id}>
        {waitingText(one)}, entered by {madeBy}: {reason}
      </div>
    ))}
    <LinkText to="/app/pay/proposals" underlined>
      See who can approve
    </LinkText>
  </section>
)

/** What was paid before it was owed, and what became of it. */
export const AdvancesNote = ({ advances }: Pick<Balance, 'advances'>) => (
  <section className={classes.card} aria-label="Advances">
    <strong>Advances</strong>
    {advances.map((one) => (
      <div key={one.id}>
        {moneyText(one.amount, one.currency)}, paid {outsideText(one)}. {advanceText(one)}
      </div>
    ))}
  </section>
)
