import '@mantine/core/styles/Progress.layer.css'
import { Alert, Button, Progress, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import classes from './RichTextEditor.module.css'
import type { PendingPicture } from './use-pictures.ts'

interface EditorNotesProps {
  pictures: readonly PendingPicture[]
  problem: string | undefined
  onClose: () => void
  /** In characters. `most` is the limit. */
  length: number
  most: number
}

/** Shown below the text: uploads in progress, problems, and the length of the text when it nears the limit. */
export const EditorNotes = ({ pictures, problem, onClose, length, most }: EditorNotesProps) => (
  <div className={classes.notes}>
    {pictures.map(({ id, name, share, cancel }) => (
      <div key={id} className={classes.picture}>
        <span>{name}</span>
        <Progress value={share * 100} aria-label={`Uploading ${name}`} />
        <Button variant="subtle" size="compact-xs" onClick={cancel}>
          Cancel
        </Button>
      </div>
    ))}
    <div role="status">
      {pictures.length > 0 && (
        <VisuallyHidden>
          {pictures.length === 1 ? 'A picture is' : `${pictures.length} pictures are`} being
          uploaded
        </VisuallyHidden>
      )}
    </div>
    {problem && (
      <Alert
        color="red"
        role="alert"
        withCloseButton
        closeButtonLabel="Close"
        onClose={onClose}
        icon={<IconAlertCircle size={16} />}
        styles={{ message: { color: 'var(--mantine-color-text)' }, root: { paddingBlock: 8 } }}
      >
        {problem}
      </Alert>
    )}
    {length > most * 0.8 && (
      <span className={classes.length} data-over={length > most || undefined}>
        {length.toLocaleString('en-US')} of {most.toLocaleString('en-US')} characters
      </span>
    )}
  </div>
)
