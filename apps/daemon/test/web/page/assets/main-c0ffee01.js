document.querySelector("main").dataset.ran = "yes";
