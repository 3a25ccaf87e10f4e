import { Alert, Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { StaleState } from './use-versioned-save.ts'

interface StaleNoticeProps {
  stale: StaleState
  /** Field → its label on screen. */
  labels: Record<string, string>
}

/** Shows that somebody else has saved changes to the same record. Renders nothing if there are none. */
export function StaleNotice({ stale, labels }: StaleNoticeProps) {
  const { message, clashes, busy, catchUp } = stale
  if (message)
    return (
      <Notice>
        {message}
        <div>
          <Button variant="default" size="compact-sm" mt={8} loading={busy} onClick={catchUp}>
            Load their changes
          </Button>
        </div>
      </Notice>
    )
  if (!clashes) return null
  return (
    <Notice>
      Their changes are now in the form. Yours are kept, but not saved yet.
      {clashes.length > 0 &&
        ` You both changed: ${clashes.map((field) => labels[field] ?? field).join(', ')}. Saving replaces theirs with yours.`}
    </Notice>
  )
}

const Notice = ({ children }: { children: React.ReactNode }) => (
  <Alert
    color="yellow"
    variant="light"
    role="alert"
    icon={<IconUsers size={16} />}
    styles={{ message: { color: 'var(--mantine-color-text)' }, root: { paddingBlock: 8 } }}
  >
    {children}
  </Alert>
)
