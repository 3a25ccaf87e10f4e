import type { LeftOutCause, RunFile, RunLine, RunState } from '@tallyroom/contract/payment-runs'

type Words<Name extends string> = Record<Name, { label: string; color: string }>

export const wasDownloaded = ({ downloads }: RunFile): boolean => downloads.length > 0

export const runStates: Words<RunState> = {
  prepared: { label: 'Waiting for approval', color: 'yellow' },
  approved: { label: 'Approved', color: 'brand' },
  sent: { label: 'Waiting for results', color: 'brand' },
  finished: { label: 'Finished', color: 'green' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const lineStates: Words<RunLine['state']> = {
  open: { label: 'Open', color: 'gray' },
  paid: { label: 'Paid', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  removed: { label: 'Taken out', color: 'gray' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const causeWords: Record<LeftOutCause, string> = {
  'on hold': 'On hold',
  'below minimum': 'Below the minimum',
  negative: 'Negative',
  'nothing owed': 'Nothing owed',
  'no confirmed account': 'No confirmed account',
  'in another run': 'In another run',
  'not in the file': 'Doesn’t fit into the file',
}
