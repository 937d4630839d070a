/** This browser is not logged in. */
export function LoggedOut() {
  return (
    <main class="alone">
      <h1>tmpm</h1>
      <p>This browser is not logged in, or its login has ended.</p>
      <p>
        Type <code>tmpm web</code> in a terminal on the machine where tmpm runs, and open the address that it prints.
      </p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Log in
      </button>
    </main>
  );
}
