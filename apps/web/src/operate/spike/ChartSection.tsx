import { formatPesos } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { Stack } from '@mantine/core'
import { Amount } from '../../ui/Amount.tsx'
import { TrendChart } from '../../ui/chart/TrendChart.tsx'
import { toast } from '../../ui/toasts.tsx'
import { Section } from './Section.tsx'

/** A half-month on its sixth day. Deterministic, so that screenshots can be compared. */
const points = Array.from({ length: 15 }, (_, index) => ({
  day: addDays('2026-11-16', index),
  value: index < 6 ? 1400 + ((index * 719) % 2600) : null,
  ...(index < 6 && {
    before: 1200 + ((index * 389) % 2600),
    beforeDay: addDays('2026-11-01', index),
  }),
}))

const alone = points.map(({ day, value }) => ({ day, value }))

export const ChartSection = () => (
  <Section title="Trend">
    <Stack gap="lg">
      <TrendChart
        points={points}
        format={formatPesos}
        label="Payout by day"
        nowLabel="16–21 Nov"
        beforeLabel="1–6 Nov"
        onPick={(day) => toast({ kind: 'success', heading: 'Picked', body: day })}
        linked={(figure, day) => (
          <Amount
            of={{ report: 'sites', column: 'payout', start: day, end: day }}
            label={`Payout, ${day},`}
          >
            {figure}
          </Amount>
        )}
      />
      <TrendChart points={alone} format={formatPesos} label="Payout by day, not compared" />
      <TrendChart points={[]} format={formatPesos} label="Without points" />
    </Stack>
  </Section>
)
