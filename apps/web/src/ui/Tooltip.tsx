import type { TooltipProps as LibraryProps } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import {
  cloneElement,
  Suspense,
  useEffect,
  useId,
  useState,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
} from 'react'
import { lazyOr } from '../lib/lazy-or.ts'

interface TooltipProps extends Pick<
  LibraryProps,
  'label' | 'disabled' | 'position' | 'withArrow' | 'multiline' | 'maw'
> {
  /** One element that accepts pointer event handlers and `aria-describedby`. */
  children: ReactElement<HTMLAttributes<Element>>
}

/** Comes with all that places what floats, which no page needs to be drawn. Without it, a page goes on without tooltips. */
const LibraryTooltip = lazyOr<LibraryProps>(() => import('./floating-tooltip.ts'))

const OPEN_DELAY_MS = 250

/**
 * The library's tooltip, mounted when the pointer first enters. A list has hundreds of tooltips; mounting them all
 * would dominate the render time.
 */
export function Tooltip({ children, disabled = false, label, ...rest }: TooltipProps) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement>()
  const [isRested, setRested] = useState(false)
  const { start, clear } = useTimeout(() => setRested(true), OPEN_DELAY_MS)
  const opened = isRested && !disabled

  useEffect(() => {
    if (!isRested) return undefined
    const handleKey = ({ key }: KeyboardEvent) => key === 'Escape' && setRested(false)
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [isRested])

  return (
    <>
      {cloneElement(children, {
        'aria-describedby': opened ? id : children.props['aria-describedby'],
        onPointerEnter: (event: PointerEvent) => {
          children.props.onPointerEnter?.(event)
          if (event.pointerType === 'touch' || !(event.currentTarget instanceof HTMLElement)) return
          setTarget(event.currentTarget)
          start()
        },
        onPointerLeave: (event: PointerEvent) => {
          children.props.onPointerLeave?.(event)
          clear()
          setRested(false)
        },
      })}
      {target && (
        <Suspense>
          <LibraryTooltip
            {...rest}
            target={target}
            opened={opened}
            label={<span id={id}>{label}</span>}
          />
        </Suspense>
      )}
    </>
  )
}
