import { Button, CloseButton, Portal } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import classes from './toasts.module.css'

export interface Toast {
  kind: 'success' | 'error'
  heading: string
  body: string
  /** What people usually do next. Such a toast stays longer. */
  next?: NextStep | undefined
}

export interface NextStep {
  /** With a verb: 'Add a link type'. */
  label: string
  open: () => void
}

interface Note extends Toast {
  id: number
  /** The number of identical toasts merged into this one. */
  count: number
}

const LIFETIME_MS = 3000
const LIFETIME_WITH_NEXT_MS = 15_000

let notes: readonly Note[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: readonly Note[]) => {
  notes = next
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const dismiss = (id: number) => change(notes.filter((note) => note.id !== id))

/** Shows a toast for 3 seconds. A toast identical to one on screen increases its count instead. */
export function toast({ kind, heading, body, next }: Toast) {
  // A next step that was ignored is no longer the next one.
  const current = next ? notes.filter((note) => !note.next) : notes
  const same = current.find(
    (n) => !next && !n.next && n.kind === kind && n.heading === heading && n.body === body,
  )
  change(
    same
      ? current.map((note) => (note === same ? { ...note, count: note.count + 1 } : note))
      : [...current, { kind, heading, body, next, id: ++lastId, count: 1 }],
  )
}

export const toastSaved = (next?: NextStep) =>
  toast({ kind: 'success', heading: 'Success', body: 'Successfully saved', next })

/** Reports that an action on rows is done. */
export const toastDone = (next?: NextStep) =>
  toast({ kind: 'success', heading: 'Success', body: 'Operation Complete', next })

/** Renders the toasts. Mounted once, at the root of the app. */
export function ToastHost() {
  const shown = useSyncExternalStore(subscribe, () => notes)
  return (
    <Portal>
      <div className={classes.stack}>
        <div aria-live="polite">
          {shown.map((note) => (
            <ToastNote key={note.id} note={note} />
          ))}
        </div>
      </div>
    </Portal>
  )
}

function ToastNote({ note }: { note: Note }) {
  const [held, setHeld] = useState(false)

  // A repeat restarts the timer, and so does the pointer leaving.
  useEffect(() => {
    if (held) return
    const timer = setTimeout(
      () => dismiss(note.id),
      note.next ? LIFETIME_WITH_NEXT_MS : LIFETIME_MS,
    )
    return () => clearTimeout(timer)
  }, [held, note.id, note.count, note.next])

  const Icon = note.kind === 'success' ? IconCircleCheck : IconAlertTriangle
  return (
    <div
      className={classes.note}
      data-kind={note.kind}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <strong>
          {note.heading}
          {note.count > 1 && ` (${note.count})`}
        </strong>
        <div>{note.body}</div>
        {note.next && (
          <Button
            size="xs"
            mt={6}
            onClick={() => {
              dismiss(note.id)
              note.next?.open()
            }}
          >
            Next: {note.next.label}
          </Button>
        )}
      </div>
      <CloseButton size="sm" aria-label="Close notification" onClick={() => dismiss(note.id)} />
    </div>
  )
}
