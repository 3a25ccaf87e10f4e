import { addDays, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import type { ReactNode } from 'react'
import { useToday } from '../../lib/clock.ts'
import { LinkText } from '../../ui/links.tsx'
import { AvpSection } from './AvpSection.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './HowFiguresWorkPage.module.css'
import { WorkedExample } from './WorkedExample.tsx'

/** Explains the statistics columns to those who are paid by them. */
export function HowFiguresWorkPage() {
  const today = useToday()
  const half = periodOf(today, 'beWeek')
  const week = periodOf(today, 'week')
  return (
    <article className={classes.page}>
      <p className={classes.lead}>
        Every figure counts something that happened: a visitor followed a link, or a merchant
        reported a sale. Nothing is estimated, and nothing is edited after it was counted.
      </p>

      <Section title="Clicks: Raws and Uniques">
        <p>
          <b>Raws</b> are all clicks on your tracked links. <b>Uniques</b> leave out repeats: only
          the first click of an address on a link counts each day. It counts again the next day, so
          the uniques of a week are the sum of its days.
        </p>
        <p>
          Some clicks are redirected but not counted: those of crawlers and black-listed addresses,
          previews in apps, and floods from one address. Click Logs show the reason.
        </p>
      </Section>

      <Section title="Sales and bonuses">
        <p>
          A sale counts as soon as the merchant’s server reports it. It belongs to the agent whose
          link brought the customer, or whose coupon code the customer used. A sale that is reported
          twice counts once.
        </p>
        <p>
          Some links also pay a <b>bonus</b> when the customer stays or buys again. Bonuses have
          separate columns, in red, and are not included in Sales. On sites with approve-sale, an
          order has two steps: Day#1 Approval and Day#2 Sale. If a link has no rate for Day#2, a
          sale reported without an approval counts as a sale, at the sale’s rate.
        </p>
        <p>
          A sale pays the rate that was in force when it was made, even if it is reported later:
          your office’s own rate for the link if it has one, otherwise the link’s default rate. A
          new rate applies from the moment or the day it takes effect, and does not affect earlier
          sales.
        </p>
        <p>
          Staff can <b>backdate</b> a rate that was agreed earlier or entered incorrectly. The sales
          since then keep what they were recorded with, and each gets a <b>rate difference</b>: a
          line that adds or subtracts the rest on the day of the sale. It does not count as another
          sale. Sales that were already reversed get none, and a later reversal takes back the sale
          with its differences.
        </p>
      </Section>

      <Section title="Reversed sales">
        <p>
          Merchants also report refunds and stolen cards. The original sale stays, and a <b>−1</b>{' '}
          with the same amounts, negative, counts on the day of the reversal. This is why a day can
          be below zero. Sale logs show both. Only tiers look back: a reversed sale no longer counts
          for the tier of the week in which it was made.
        </p>
      </Section>

      <Section title="Days, weeks and pay periods">
        <p>
          A day begins and ends at midnight in New York ({NEW_YORK}), wherever you are. Today,{' '}
          <WithDays>{today}</WithDays>, began at {local(startOfDay(today))} on your own clock and
          ends at {local(startOfDay(addDays(today, 1)))}. A sale counts on the day it was made, even
          if it is reported later.
        </p>
        <p>
          <WithDays>
            Weeks run from Monday to Sunday: this one from {week.start} to {week.end}. Payout
            periods run from the 1st to the 15th and from the 16th to the end of a month: this one
            from {half.start} to {half.end}.
          </WithDays>
        </p>
      </Section>

      <Section title="Ratios">
        <p>
          <b>Unique to Sale Ratio</b> is the number of unique visitors per sale; lower is better.{' '}
          <b>Bonus Ratio</b> is the number of bonuses per 100 sales. <b>Lpp</b> adds up the points
          of the sales, where points are shown. <b>Lpp prev</b> is the same for the period of equal
          length just before.
        </p>
        <WorkedExample day={addDays(today, -1)} />
      </Section>

      <AvpSection />

      <Section title="When figures change">
        <p>
          Figures change at once: a click or a sale is in the statistics as soon as it is stored.
          Past days change only if a merchant reports a sale late or staff backdate a rate. A
          reversal shows on the day of the reversal, not on the day of the sale, except that the AVP
          sales of that day go down. What is paid for a closed period never changes: late sales and
          differences are paid by the next one.
        </p>
        <p>
          Does something look wrong? Compare it with the{' '}
          <LinkText to="/app/logs/sale-logs">sale logs</LinkText> and{' '}
          <LinkText to="/app/logs/click-outs">click logs</LinkText> of the same days. They list each
          sale and click that the figures count.
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

/** In the reader's time zone: the only place that is not in New York time. */
const local = (instant: Date) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', hour: 'numeric', minute: '2-digit' }).format(
    instant,
  )
