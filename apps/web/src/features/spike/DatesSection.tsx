import { Group } from '@mantine/core'
import { dayOf, type Day } from '@tallyroom/domain/new-york'
import {
  payoutBeWeekHints,
  payoutWeekHints,
  periodOf,
  type MaybeRange,
} from '@tallyroom/domain/periods'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { PeriodSelect } from '../../pickers/PeriodSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { SemiMonthlyPicker } from '../../ui/dates/SemiMonthlyPicker.tsx'
import { WeekPicker } from '../../ui/dates/WeekPicker.tsx'
import { WeekRangePicker } from '../../ui/dates/WeekRangePicker.tsx'
import { Section } from './Section.tsx'

export function DatesSection() {
  const today = useToday()
  const [day, setDay] = useState<Day | null>(null)
  const [range, setRange] = useState<MaybeRange>(() => periodOf(dayOf(Date.now()), 'month'))
  const [wrongRange, setWrongRange] = useState<MaybeRange>({
    start: '2026-03-10',
    end: '2026-03-01',
  })
  const [week, setWeek] = useState<MaybeRange>({})
  const [weeks, setWeeks] = useState<MaybeRange>({})
  const [half, setHalf] = useState<MaybeRange>({})
  return (
    <Section title="Dates">
      <Group align="flex-start" gap="md">
        <DayPicker label="Day" value={day} onChange={setDay} />
        <DateRangePicker
          value={range}
          onChange={setRange}
          extraHints={[
            { heading: 'Payout periods', hints: payoutBeWeekHints(today) },
            { heading: 'Payout weeks', hints: payoutWeekHints(today) },
          ]}
        />
        <DateRangePicker label="The wrong way round" value={wrongRange} onChange={setWrongRange} />
        <WeekPicker value={week} onChange={setWeek} />
        <WeekRangePicker value={weeks} onChange={setWeeks} />
        <SemiMonthlyPicker value={half} onChange={setHalf} />
        <PeriodSelect
          groups={[{ heading: 'Half-months', hints: payoutBeWeekHints(today) }]}
          value={range}
          onChange={setRange}
        />
      </Group>
    </Section>
  )
}
