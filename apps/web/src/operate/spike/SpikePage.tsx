import { Badge, Button, Group, Stack } from '@mantine/core'
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatPesos,
  formatSignedPercent,
} from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { type MaybeRange, payoutBeWeekHints } from '@tallyroom/domain/periods'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { useToday } from '../../lib/clock.ts'
import { AgentSelect } from '../../shared/pickers/AgentSelect.tsx'
import { OfficeSelect } from '../../shared/pickers/OfficeSelect.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { SemiMonthlyPicker } from '../../ui/dates/SemiMonthlyPicker.tsx'
import { WeekPicker } from '../../ui/dates/WeekPicker.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { toast, toastSaved } from '../../ui/toasts.tsx'

/**
 * The test page (specification 1, /app/spike): what developers want to try without a record, such as a dialog whose
 * action fails. The gallery in docs/ shows everything else in its place.
 */
export const SpikePage = () => (
  <Stack gap={36} pb={40}>
    <Labels />
    <Messages />
    <Dates />
    <Pickers />
  </Stack>
)

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h2 style={{ margin: '0 0 12px', fontSize: 14 }}>{title}</h2>
    <Group align="flex-start" gap="md">
      {children}
    </Group>
  </section>
)

const Labels = () => (
  <Section title="Buttons, labels, amounts">
    <Button>Primary</Button>
    <Button variant="default">Default</Button>
    <Button color="red">Destroys</Button>
    <Button loading>Busy</Button>
    <Button disabled>Disabled</Button>
    <Badge>Activated</Badge>
    <Badge color="gray">Suspended</Badge>
    <span>{formatDollars(1234.5)}</span>
    <span>{formatPesos(98765.4)}</span>
    <span>{formatPercent(12.345)}</span>
    <span>{formatSignedPercent(-3.1)}</span>
    <span>{formatCount(1234567)}</span>
    {/* In the hour that New York has twice. */}
    <Instant at="2026-11-01T05:30:00Z" />
  </Section>
)

const slowly = () => new Promise((done) => setTimeout(done, 1500))
const inVain = () => Promise.reject(new ApiError('CONFLICT', 'The office has changed meanwhile.'))

function Messages() {
  const [answer, setAnswer] = useState('none yet')
  const ask = async (action?: () => Promise<unknown>) => {
    const body = 'Are you sure to suspend office and all agents?'
    const isDone = await confirm({ heading: 'Suspend office', body, ...(action && { action }) })
    setAnswer(isDone ? 'confirmed and done' : 'cancelled, or failed')
  }
  return (
    <Section title="Toasts and dialogs">
      <Button onClick={() => toastSaved()}>Success toast</Button>
      <Button onClick={() => toast({ kind: 'error', heading: 'Failed', body: 'Try again.' })}>
        Error toast
      </Button>
      <Button onClick={() => void ask()}>Confirm</Button>
      <Button onClick={() => void ask(slowly)}>Confirm, slow</Button>
      <Button onClick={() => void ask(inVain)}>Confirm, fails</Button>
      <span aria-live="polite">Last answer: {answer}</span>
    </Section>
  )
}

function Dates() {
  const today = useToday()
  const [day, setDay] = useState<Day | null>(null)
  const [range, setRange] = useState<MaybeRange>({ start: '2026-03-10', end: '2026-03-01' })
  return (
    <Section title="Dates">
      <DayPicker label="Day" value={day} onChange={setDay} />
      <DateRangePicker
        label="End before start"
        value={range}
        onChange={setRange}
        extraHints={[{ heading: 'Payout periods', hints: payoutBeWeekHints(today) }]}
      />
      <WeekPicker value={range} onChange={setRange} />
      <SemiMonthlyPicker value={range} onChange={setRange} />
    </Section>
  )
}

function Pickers() {
  const [siteId, setSiteId] = useState<number>()
  const [typeId, setTypeId] = useState<number>()
  const [companyId, setCompanyId] = useState<number>()
  const [agentId, setAgentId] = useState<number>()
  return (
    <Section title="Pickers">
      <SiteSelect value={siteId} onChange={setSiteId} withSuspended />
      <TypeSelect siteId={siteId} value={typeId} onChange={setTypeId} />
      <OfficeSelect value={companyId} onChange={setCompanyId} />
      <AgentSelect
        companyId={companyId}
        agentsQuery="onlyAvailablePlusSuspended"
        value={agentId}
        onChange={setAgentId}
      />
    </Section>
  )
}
