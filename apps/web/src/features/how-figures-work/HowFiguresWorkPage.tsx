import { addDays, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import type { ReactNode } from 'react'
import { useToday } from '../../lib/clock.ts'
import { LinkText } from '../../ui/links.tsx'
import { AvpSection } from './AvpSection.tsx'
import classes from './HowFiguresWorkPage.module.css'
import { WorkedExample } from './WorkedExample.tsx'

/** What the columns of the statistics mean, for those who are paid by them. */
export function HowFiguresWorkPage() {
  const today = useToday()
  const half = periodOf(today, 'beWeek')
  const week = periodOf(today, 'week')
  return (
    <article className={classes.page}>
      <p className={classes.lead}>
        Every figure is a count of things that happened: a visitor followed a link, a merchant
        reported a sale. Nothing is estimated, and nothing that was counted is edited afterwards.
      </p>

      <Section title="Clicks: Raws and Uniques">
        <p>
          <b>Raws</b> are all visits by your tracked links. <b>Uniques</b> leave out repeats: of one
          address, on one of your links, only the first visit of a day counts. The next day it
          counts again, so that the uniques of a week are the sum of its days.
        </p>
        <p>
          Crawlers, black-listed addresses, browsers that load a link before anybody clicks, and
          floods from one address are sent on, but are in neither figure. Click Logs say why.
        </p>
      </Section>

      <Section title="Sales and bonuses">
        <p>
          A sale is there as soon as the merchant’s server reports it, and belongs to the agent
          whose link the customer came by. A report that comes twice counts once.
        </p>
        <p>
          Some links pay a <b>bonus</b> on top, when the customer stays or buys again. Bonuses have
          columns of their own, in red, and are not in the column Sales. On sites with approve-sale
          an order has two steps, Day#1 Approval and Day#2 Sale. Where a link pays nothing for the
          second day, a sale that was reported without its approval counts as a sale, at the sale’s
          rate.
        </p>
        <p>
          What a sale pays is settled when it is reported: your office’s own rate for that link if
          it has one, else the link’s usual rate. A later change of rates changes no earlier sale.
        </p>
      </Section>

      <Section title="Sales that are taken back">
        <p>
          When a customer gets the money back, or a card was stolen, the merchant reports that too.
          The sale stays where it is, and a <b>−1</b> with the same amounts below zero is counted on
          the day on which it was taken back. That is why a day can be below zero. The sale logs
          show both.
        </p>
      </Section>

      <Section title="Days, weeks and pay periods">
        <p>
          A day begins and ends at midnight in New York ({NEW_YORK}), wherever you are. Today,{' '}
          {today}, began at {local(startOfDay(today))} on your own clock and ends at{' '}
          {local(startOfDay(addDays(today, 1)))}. A sale counts on the day on which it was made,
          also when its report comes later.
        </p>
        <p>
          Weeks run from Monday to Sunday: this one from {week.start} to {week.end}. Payout periods
          run from the 1st to the 15th and from the 16th to the end of a month: this one from{' '}
          {half.start} to {half.end}.
        </p>
      </Section>

      <Section title="Ratios">
        <p>
          <b>Unique to Sale Ratio</b> says how many unique visitors it takes to make a sale; less is
          better. <b>Bonus Ratio</b> says how many bonuses come on a hundred sales. <b>Lpp</b> adds
          up the points of the sales, where points are shown; <b>Lpp prev</b> is the same for as
          many days just before.
        </p>
        <WorkedExample day={addDays(today, -1)} />
      </Section>

      <AvpSection />

      <Section title="When figures change">
        <p>
          At once: a click or a sale is in the statistics the moment it is stored. Days that are
          over change only when a merchant reports something late for them. What a merchant takes
          back shows on the day of the taking back, not on the day of the sale.
        </p>
        <p>
          Something looks wrong? Compare with the{' '}
          <LinkText to="/app/logs/sale-logs">sale logs</LinkText> and the{' '}
          <LinkText to="/app/logs/click-outs">click logs</LinkText> of the same days: they list what
          the figures count, one by one.
        </p>
      </Section>
    </article>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** On the reader's own clock: the one place where it is not New York's. */
const local = (instant: Date) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', hour: 'numeric', minute: '2-digit' }).format(
    instant,
  )
