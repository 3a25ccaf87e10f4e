import type { OfficeItem } from '@tallyroom/contract/offices'
import {
  IconEye,
  IconEyeOff,
  IconPlayerPause,
  IconPlayerPlay,
  type Icon,
} from '@tabler/icons-react'
import { confirm } from '../../ui/dialogs.ts'
import { toastDone } from '../../ui/toasts.tsx'
import { setOfficesStatus, type OfficeStatusChange } from './offices.api.ts'

/** What staff does to an office and all of its agents at once. */
export interface OfficeAction {
  label: string
  icon: Icon
  change: OfficeStatusChange
  question: string
  /** The office is like that already. */
  isDone: (office: OfficeItem) => boolean
}

/** In the order of a row's menu. */
export const officeActions: readonly OfficeAction[] = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    change: { active: true },
    question: 'Are you sure to activate office and all agents?',
    isDone: ({ active }) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    change: { active: false },
    question: 'Are you sure to suspend office and all agents?',
    isDone: ({ active }) => !active,
  },
  {
    label: 'Show',
    icon: IconEye,
    change: { hidden: false },
    question: 'Are you sure to show office and all agents?',
    isDone: ({ hidden }) => !hidden,
  },
  {
    label: 'Hide',
    icon: IconEyeOff,
    change: { hidden: true },
    question: 'Are you sure to hide office and all agents?',
    isDone: ({ hidden }) => hidden,
  },
]

/** For selected rows; the words are the specification's. */
export const bulkOfficeActions = [
  {
    label: 'Activate',
    change: { active: true },
    question: 'Are you sure to activate selected offices and all they agents?',
  },
  {
    label: 'Suspend',
    change: { active: false },
    question: 'Are you sure to suspend selected offices and all they agents?',
  },
] as const

interface Asked {
  ids: readonly number[]
  /** Which offices: their name, or how many. */
  whose: string
  refresh: () => Promise<unknown>
  /** It is done, and the dialog gone. */
  onDone?: () => void
}

/** Asks, and does it while the dialog stays. */
export async function askToChange(
  { label, change, question }: Pick<OfficeAction, 'label' | 'change' | 'question'>,
  { ids, whose, refresh, onDone }: Asked,
) {
  const isDone = await confirm({
    heading: `${label}: ${whose}`,
    body: question,
    confirmLabel: label,
    action: async () => {
      await setOfficesStatus(ids, change)
      await refresh()
      toastDone()
    },
  })
  if (isDone) onDone?.()
}
