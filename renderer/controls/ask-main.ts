/**
 * How screens ask main: a question, a live subscription, an action. Thin over TanStack Query and the
 * tRPC client; failures arrive as sentences for people.
 */
import { QueryClient, keepPreviousData, useMutation, useQuery as useTanstackQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type DependencyList } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { personalErrorOf } from './personal-error.ts'

/** One for the window. Nothing is asked again by itself: subscriptions say when something changed. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

export interface Answer<T> {
  data: T | undefined
  error: PersonalError | null
  /** No answer yet. */
  pending: boolean
  /** Asks again; the old answer stays until the new one is there. */
  refetch: () => void
}

/**
 * Asks once per `key` and remembers the answer. `keep` shows the former key's answer until the new
 * one is there. Example: `useQuery(['students', hash], () => trpc.students.get.query({ student_hash: hash }))`.
 */
export function useQuery<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  options: { enabled?: boolean; keep?: boolean; fresh?: boolean } = {},
): Answer<T> {
  const query = useTanstackQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    enabled: options.enabled ?? true,
    // A screen that opens again asks again, while what it knew is on screen.
    refetchOnMount: 'always',
    ...(options.fresh ? { gcTime: 0 } : {}),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
  })
  const { refetch } = query
  return {
    data: query.data,
    error: query.error ? personalErrorOf(query.error) : null,
    pending: query.isPending,
    refetch: useCallback(() => void refetch(), [refetch]),
  }
}

/** Asks all remembered questions again, e.g. after the wire was lost. */
export function askEverythingAgain(): void {
  void queryClient.invalidateQueries()
}

export interface SubscriptionHandlers<T> {
  onData: (value: T) => void
  onError: (error: unknown) => void
}

export interface Subscribed {
  unsubscribe(): void
}

/**
 * Listens while the component is mounted and `deps` stay the same; starts again two seconds after
 * main ended it with an error. `onData` may change without starting again.
 * Example: `useSubscription((on) => trpc.students.changes.subscribe({ student_hash }, on), refetch, [student_hash])`.
 */
export function useSubscription<T>(
  start: (handlers: SubscriptionHandlers<T>) => Subscribed,
  onData: (value: T) => void,
  deps: DependencyList,
): PersonalError | null {
  const [error, setError] = useState<PersonalError | null>(null)
  const latest = useRef({ start, onData })
  useEffect(() => {
    latest.current = { start, onData }
  })
  useEffect(() => {
    let subscribed: Subscribed | null = null
    let again: ReturnType<typeof setTimeout> | null = null
    let over = false
    const begin = () => {
      subscribed = latest.current.start({
        onData: (value) => {
          if (over) return
          setError(null)
          latest.current.onData(value)
        },
        onError: (failure) => {
          if (over) return
          setError(personalErrorOf(failure))
          again = setTimeout(begin, 2000)
        },
      })
    }
    begin()
    return () => {
      over = true
      if (again) clearTimeout(again)
      subscribed?.unsubscribe()
    }
    // The caller names what the subscription depends on, as with an effect.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, deps)
  return error
}

/** The latest value of a subscription; null until the first. */
export function useLatest<T>(start: (handlers: SubscriptionHandlers<T>) => Subscribed, deps: DependencyList): T | null {
  const [value, setValue] = useState<T | null>(null)
  useSubscription<T>(start, setValue, deps)
  return value
}

export interface Action<Input, Output> {
  run: (input: Input) => Promise<Output | undefined>
  busy: boolean
  error: PersonalError | null
  result: Output | undefined
  /** It was done, whatever it answered. */
  done: boolean
  reset: () => void
}

/** Something a person does. `run` never rejects: where it fails it answers undefined and `error` says why. */
export function useAction<Input, Output>(
  act: (input: Input) => Promise<Output>,
  onDone?: (output: Output, input: Input) => void,
): Action<Input, Output> {
  const mutation = useMutation({ mutationFn: act, ...(onDone ? { onSuccess: onDone } : {}) })
  return {
    run: (input) => mutation.mutateAsync(input).catch(() => undefined),
    busy: mutation.isPending,
    error: mutation.error ? personalErrorOf(mutation.error) : null,
    result: mutation.data,
    done: mutation.isSuccess,
    reset: mutation.reset,
  }
}
