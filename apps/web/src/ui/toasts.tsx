import { CloseButton, Portal } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import classes from './toasts.module.css'

export interface Toast {
  kind: 'success' | 'error'
  heading: string
  body: string
}

interface Note extends Toast {
  id: number
  /** The number of identical toasts merged into this one. */
  count: number
}

const LIFETIME_MS = 3000

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
export function toast({ kind, heading, body }: Toast) {
  const same = notes.find((n) => n.kind === kind && n.heading === heading && n.body === body)
  change(
    same
      ? notes.map((note) => (note === same ? { ...note, count: note.count + 1 } : note))
      : [...notes, { kind, heading, body, id: ++lastId, count: 1 }],
  )
}

export const toastSaved = () =>
  toast({ kind: 'success', heading: 'Success', body: 'Successfully saved' })

/** Reports that an action on rows is done. */
export const toastDone = () =>
  toast({ kind: 'success', heading: 'Success', body: 'Operation Complete' })

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
    const timer = setTimeout(() => dismiss(note.id), LIFETIME_MS)
    return () => clearTimeout(timer)
  }, [held, note.id, note.count])

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
      </div>
      <CloseButton size="sm" aria-label="Close notification" onClick={() => dismiss(note.id)} />
    </div>
  )
}
