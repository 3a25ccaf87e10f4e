import { Group, Stack } from '@mantine/core'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import {
  type MaybeRange,
  periodOf,
  payoutBeWeekHints,
  payoutWeekHints,
} from '@tallyroom/domain/periods'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { AgentSelect } from '../../shared/AgentSelect.tsx'
import { OfficeSelect } from '../../shared/OfficeSelect.tsx'
import { PeriodSelect } from '../../shared/PeriodSelect.tsx'
import { SiteSelect } from '../../shared/SiteSelect.tsx'
import { TypeSelect } from '../../shared/TypeSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { SemiMonthlyPicker } from '../../ui/dates/SemiMonthlyPicker.tsx'
import { WeekPicker } from '../../ui/dates/WeekPicker.tsx'
import { WeekRangePicker } from '../../ui/dates/WeekRangePicker.tsx'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { AmountSection } from './AmountSection.tsx'
import { BasicsSection } from './BasicsSection.tsx'
import { ChartSection } from './ChartSection.tsx'
import { FormSection } from './FormSection.tsx'
import { ListSection } from './ListSection.tsx'
import { MessagesSection } from './MessagesSection.tsx'
import { Section } from './Section.tsx'
import { TilesSection } from './TilesSection.tsx'
import { TimelineSection } from './TimelineSection.tsx'

/** The test page (specification 1, /app/spike): the product's widgets in all their states, for developers. */
export const SpikePage = () => (
  <Stack gap={36} pb={40}>
    <BasicsSection />
    <AmountSection />
    <TilesSection />
    <MessagesSection />
    <FormSection />
    <DatesSection />
    <PickersSection />
    <TimelineSection />
    <ChartSection />
    <ListSection />
  </Stack>
)

function DatesSection() {
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
        <DateRangePicker label="End before start" value={wrongRange} onChange={setWrongRange} />
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

const MANY = Array.from({ length: 5000 }, (_, index) => ({
  id: index + 1,
  label: `agent${String(index + 1).padStart(4, '0')}`,
}))

function PickersSection() {
  const [siteId, setSiteId] = useState<number>()
  const [typeId, setTypeId] = useState<number>()
  const [companyId, setCompanyId] = useState<number>()
  const [agentId, setAgentId] = useState<number>()
  const [chosen, setChosen] = useState<number>()
  return (
    <Section title="Pickers">
      <Group align="flex-start" gap="md">
        <SiteSelect value={siteId} onChange={setSiteId} withSuspended />
        <TypeSelect siteId={siteId} value={typeId} onChange={setTypeId} />
        <OfficeSelect value={companyId} onChange={setCompanyId} />
        <AgentSelect
          companyId={companyId}
          agentsQuery="onlyAvailablePlusSuspended"
          value={agentId}
          onChange={setAgentId}
        />
        <EntitySelect label="Loading" options={undefined} value={null} onChange={setChosen} />
        <EntitySelect label="Of 5,000" options={MANY} value={chosen} onChange={setChosen} />
      </Group>
    </Section>
  )
}
