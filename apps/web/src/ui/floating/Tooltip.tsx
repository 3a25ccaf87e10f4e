import {
  cloneElement,
  createElement,
  useEffect,
  useId,
  useState,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { fetchAhead, later, useLater } from '../../lib/later.ts'

interface TooltipProps {
  label: ReactNode
  disabled?: boolean
  position?: 'top' | 'right'
  withArrow?: boolean
  /** Breaks its text into lines of at most `maw` pixels. */
  multiline?: boolean
  maw?: number
  /** One element, which hands pointer events on to the page. */
  children: ReactElement<HTMLAttributes<Element>>
}

export interface BubbleProps extends Omit<TooltipProps, 'children' | 'disabled'> {
  id: string
  target: HTMLElement
  opened: boolean
}

const OPEN_DELAY_MS = 250

const bubble = later(() => import('./TooltipNow.tsx').then(({ TooltipNow }) => TooltipNow))

/** Explains what the pointer rests on. A page full of them costs nothing: drawn is the one that is looked at. */
export function Tooltip({ children, disabled = false, ...rest }: TooltipProps) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement>()
  const [isHovered, setHovered] = useState(false)
  const isRested = useRest(isHovered)
  const drawn = useLater(bubble, false)
  const opened = isHovered && isRested && !disabled

  return (
    <>
      {cloneElement(children, {
        'aria-describedby': opened ? id : children.props['aria-describedby'],
        onPointerEnter: (event: PointerEvent) => {
          children.props.onPointerEnter?.(event)
          if (event.pointerType === 'touch' || !(event.currentTarget instanceof HTMLElement)) return
          fetchAhead(bubble)
          setTarget(event.currentTarget)
          setHovered(true)
        },
        onPointerLeave: (event: PointerEvent) => {
          children.props.onPointerLeave?.(event)
          setHovered(false)
        },
      })}
      {drawn && target && createElement(drawn, { ...rest, id, target, opened })}
    </>
  )
}

/** Whether the pointer has stayed for long enough. Escape takes away what it brought. */
function useRest(isHovered: boolean): boolean {
  const [isRested, setRested] = useState(false)
  useEffect(() => {
    if (!isHovered) return undefined
    const timer = setTimeout(() => setRested(true), OPEN_DELAY_MS)
    const handleKey = ({ key }: KeyboardEvent) => key === 'Escape' && setRested(false)
    window.addEventListener('keydown', handleKey)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', handleKey)
      setRested(false)
    }
  }, [isHovered])
  return isRested
}
