import { Group, SegmentedControl } from '@mantine/core'
import type { SellerDays } from '@tallyroom/contract/people/sellers'
import { daysInWords } from '@tallyroom/domain/periods'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useIsNarrow } from '../../lib/phone.ts'
import { storedValue } from '../../lib/stored.ts'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { type ColumnSet, type NamedSet, setOf } from './column-set.ts'
import classes from './column-sets.module.css'

const chosenIn = (list: string) =>
  storedValue<ColumnSet>(`tallyroom.columns-of.${list}`, (text) =>
    text === '"sellers"' ? 'sellers' : 'accounts',
  )
const chosen = { agents: chosenIn('agents'), offices: chosenIn('offices') }

/** The set that the URL names, or the one that was chosen last in this browser. */
export function useColumnSet(list: keyof typeof chosen, asked: NamedSet) {
  const { subscribe, get, set: remember } = chosen[list]
  const last = useSyncExternalStore(subscribe, get) ?? 'accounts'
  return { set: setOf(asked) ?? last, remember }
}

interface SwitchProps {
  set: ColumnSet
  onChange: (set: ColumnSet) => void
}

/** Changes from one set to the other. */
const ColumnSwitch = ({ set, onChange }: SwitchProps) => (
  <SegmentedControl
    size="xs"
    aria-label="Columns of"
    data={[
      { value: 'accounts', label: 'Accounts' },
      { value: 'sellers', label: 'Sellers' },
    ]}
    value={set}
    onChange={(next) => onChange(next === 'sellers' ? 'sellers' : 'accounts')}
  />
)

/** The filters of such a list. In a narrow window, the switch stands beside them. */
export const BesideSwitch = ({ children, ...change }: SwitchProps & { children: ReactNode }) =>
  useIsNarrow() ? (
    <div className={classes.beside}>
      {children}
      <ColumnSwitch {...change} />
    </div>
  ) : (
    children
  )

interface ColumnSetsProps extends SwitchProps {
  /** Of the figures, once they are there. */
  days: SellerDays | undefined
}

/** What the days of the figures are. In a wide window, beside the switch. */
export function ColumnSets({ days, ...change }: ColumnSetsProps) {
  const isNarrow = useIsNarrow()
  return (
    <Group gap="6px 12px">
      {!isNarrow && <ColumnSwitch {...change} />}
      {change.set === 'accounts' ? (
        <TimeZoneNote />
      ) : (
        // The line is there before its words, so that the list below doesn't move.
        <span>
          {days ? `${daysInWords(days)}, compared with ${daysInWords(days.before)}` : '\u00a0'}
        </span>
      )}
    </Group>
  )
}
