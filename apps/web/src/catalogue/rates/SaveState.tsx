import { Alert, Button, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { FeeChange } from './office-fees.api.ts'
import type { RowSaves } from './row-saves.ts'
import classes from './SaveState.module.css'

/** The state of a row's changes, also announced to screen readers. */
export function SaveState({ saves }: { saves: RowSaves<FeeChange> | undefined }) {
  const state = saves && (saves.waiting.length > 0 ? 'saving' : saves.outcome?.kind)
  return (
    <span className={classes.state} role="status" data-state={state}>
      {state === 'saving' && (
        <>
          <Loader size={12} aria-hidden /> saving…
        </>
      )}
      {state === 'saved' && (
        <>
          <IconCheck size={14} aria-hidden /> saved
        </>
      )}
      {state === 'failed' && (
        <>
          <IconAlertTriangle size={14} aria-hidden /> failed
        </>
      )}
    </span>
  )
}

/** Shown below a row: why the change was not saved, and a button to retry. */
export const SaveFailure = ({ reason, onRetry }: { reason: string; onRetry: () => void }) => (
  <Alert
    color="red"
    role="alert"
    radius={0}
    styles={{ message: { color: 'var(--mantine-color-text)' }, root: { paddingBlock: 6 } }}
  >
    <span className={classes.failure}>
      <span>Not saved: {reason}</span>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        Retry
      </Button>
    </span>
  </Alert>
)
