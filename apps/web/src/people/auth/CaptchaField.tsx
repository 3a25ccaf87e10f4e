import { ActionIcon, Button, Loader, Text, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconRefresh } from '@tabler/icons-react'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { queryOf } from '../../lib/queries.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import classes from './CaptchaField.module.css'

interface CaptchaFieldProps {
  captcha: Captcha
  ref: RefObject<HTMLInputElement | null>
  input: GetInputPropsReturnType
  /** Another captcha was asked for: what was typed answers the one before. */
  onChanged: () => void
}

/** A picture with characters, or a question for whoever can't see it, and the field for the answer. */
export function CaptchaField({ captcha, ref, input, onChanged }: CaptchaFieldProps) {
  const { inWords, shown, isLoading } = captcha
  const words = inWords ? WORDS : PICTURE
  const change = (ask: () => void) => () => {
    ask()
    onChanged()
  }
  return (
    <>
      <div>
        <div className={classes.captcha}>
          <div className={classes.shown} aria-live={inWords ? 'polite' : undefined}>
            {shown === '' ? (
              isLoading ? (
                <Loader size="sm" />
              ) : (
                <Text c="dimmed">{words.failed}</Text>
              )
            ) : inWords ? (
              <Text lh={1.3}>{shown}</Text>
            ) : (
              <img src={shown} alt="Characters to type below" />
            )}
          </div>
          <Tooltip label={words.another}>
            <ActionIcon
              variant="default"
              aria-label={words.another}
              loading={isLoading}
              onClick={change(captcha.reload)}
            >
              <IconRefresh size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
        <Button variant="subtle" size="compact-sm" mt={4} ml={-9} onClick={change(captcha.turn)}>
          {words.turn}
        </Button>
      </div>
      <TextInput
        ref={ref}
        label={words.label}
        withAsterisk
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...(inWords && readWithField(shown, { hasError: Boolean(input.error) }))}
        {...input}
      />
    </>
  )
}

const PICTURE = {
  label: 'Characters in the picture',
  another: 'Load another picture',
  failed: 'The picture could not be loaded. Try again.',
  turn: 'Answer a question instead',
}

const WORDS: typeof PICTURE = {
  label: 'Your answer',
  another: 'Load another question',
  failed: 'The question could not be loaded. Try again.',
  turn: 'Show a picture instead',
}

/** The question is the field's description. It is shown in the picture's place, so that here it is only read out, and takes no space. */
const readWithField = (question: string, { hasError }: { hasError: boolean }) => ({
  description: question,
  descriptionProps: { style: { display: 'none' } },
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies string[],
  ...(hasError ? {} : { styles: { wrapper: { marginBottom: 0 } } }),
})

export type Captcha = ReturnType<typeof useCaptcha>

/** The captcha: a picture, or in words once turned. Without a check, the server does not require one. */
export function useCaptcha() {
  const [inWords, setInWords] = useState(false)
  const query = useQuery({
    ...queryOf(authEndpoints.captcha, { query: inWords ? { as: 'words' } : {} }),
    // A captcha is valid for one attempt, so it must never come from the cache.
    gcTime: 0,
    staleTime: Infinity,
    meta: { ownErrors: true },
  })
  const { image = '', question = '', check = '' } = query.data ?? {}
  const given = inWords ? question : image
  return {
    inWords,
    /** The picture as a data URL or the question; empty while there is none. */
    shown: query.isError || query.isFetching ? '' : given,
    check,
    isLoading: query.isFetching,
    isNeeded: query.isError || query.data === undefined || check !== '',
    reload: () => void query.refetch(),
    /** From the picture to a question, or back. */
    turn: () => setInWords(!inWords),
  }
}
