import "@tmpm/pty-driver/attach";
