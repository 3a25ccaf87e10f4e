import { Alert, Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'

/** What a form knows about somebody else's changes. */
export interface StaleState {
  /** Set if somebody else has saved since the form was filled. This form was then not saved. */
  message: string | undefined
  /** The fields that both sides changed. Set after `catchUp`. */
  clashes: readonly string[] | undefined
  /** Field → its label on screen. */
  labels: Readonly<Record<string, string>>
  busy: boolean
  /** Merges their changes into the form and keeps what was typed here. */
  catchUp: () => void
}

/** Shows that somebody else has saved changes to the same record. Renders nothing if there are none. */
export function StaleNotice({ message, clashes, labels, busy, catchUp }: StaleState) {
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
    role="alert"
    icon={<IconUsers size={16} />}
    styles={{ message: { color: 'var(--mantine-color-text)' }, root: { paddingBlock: 8 } }}
  >
    {children}
  </Alert>
)
