/** Refusals of the embedded GitHub, in GitHub's own shape. */

export interface FieldError {
  resource?: string;
  field?: string;
  code: string;
  message?: string;
  value?: string;
}

/** Becomes the answer `{message, errors?, documentation_url, status}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: (FieldError | string)[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    more: { errors?: (FieldError | string)[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }

  /** The body GitHub would send. */
  toBody(): Record<string, unknown> {
    return {
      message: this.message,
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      documentation_url: 'https://docs.github.com/rest',
      status: String(this.status),
    };
  }
}

export function notFound(): HttpError {
  return new HttpError(404, 'Not Found');
}

export function forbiddenForApp(): HttpError {
  return new HttpError(403, 'Resource not accessible by integration');
}

/** GitHub's 422 for a value that is well-formed and still not acceptable. */
export function invalid(error: FieldError | FieldError[]): HttpError {
  return new HttpError(422, 'Validation Failed', {
    errors: Array.isArray(error) ? error : [error],
  });
}
